import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Files of saved sessions", .timeLimit(.minutes(10)))
struct SnapshotFileTests {
    @Test("SE-7: everything comes back, the order of keys and the kinds of numbers too")
    func roundTrip() throws {
        let fixture = try SnapshotFixture()
        defer { fixture.remove() }
        let saved = try SnapshotFixture.snapshot()
        let read = try fixture.roundTrip(saved)
        #expect(read.model == saved.model)
        #expect(read.cacheIdentity == saved.cacheIdentity)
        #expect(read.system == saved.system)
        #expect(read.transcript == saved.transcript)
        let arguments = read.transcript[2].toolCalls[0].arguments
        #expect(arguments.jsonString() == #"{"z":1,"a":[2.5,3.0,null,"é\u0000"],"big":12345678901}"#)
        #expect(read.ledger == saved.ledger)
        let state = try #require(read.state)
        #expect(state.tokens == [5, 6, 7] && state.promptCount == 2 && state.bytes == saved.state?.bytes)
        #expect(state.checkpoints.map(\.count) == [2] && state.checkpoints.map(\.bytes) == [[1, 2, 3]])
        let plain = try fixture.roundTrip(try SnapshotFixture.snapshot(withState: false))
        #expect(plain.state == nil && plain.ledger == saved.ledger)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["talk.session"])
    }

    @Test(
        "SE-7: only the user may read the file, or not even he when he could not read the one that it replaces",
        arguments: [(nil, 0o600), (0o644, 0o600), (0o400, 0o400)] as [(Int?, Int)])
    func permissions(replaced: Int?, written: Int) throws {
        let fixture = try SnapshotFixture()
        defer { fixture.remove() }
        let manager = FileManager.default
        if let replaced {
            #expect(manager.createFile(atPath: fixture.path, contents: Data()))
            try manager.setAttributes([.posixPermissions: replaced], ofItemAtPath: fixture.path)
        }
        _ = try fixture.roundTrip(try SnapshotFixture.snapshot())
        let attributes = try manager.attributesOfItem(atPath: fixture.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == written)
    }

    @Test("SE-7: with any byte changed the file is damaged, whatever byte that is")
    func flippedBytes() throws {
        let fixture = try SnapshotFixture()
        defer { fixture.remove() }
        _ = try fixture.roundTrip(try SnapshotFixture.snapshot())
        let good = Array(try Data(contentsOf: URL(fileURLWithPath: fixture.path)))
        for index in good.indices {
            var bytes = good
            bytes[index] ^= index % 3 == 0 ? 0xFF : 1
            #expect(performing: { _ = try fixture.read(bytes) }, throws: isDamage)
        }
        #expect(try fixture.read(good).ledger.count == 5)
    }

    @Test("SE-7: cut off at any length, or longer, the file is damaged")
    func truncated() throws {
        let fixture = try SnapshotFixture()
        defer { fixture.remove() }
        _ = try fixture.roundTrip(try SnapshotFixture.snapshot())
        let good = Array(try Data(contentsOf: URL(fileURLWithPath: fixture.path)))
        for count in 0..<good.count {
            #expect(performing: { _ = try fixture.read(Array(good.prefix(count))) }, throws: isDamage)
        }
        #expect(performing: { _ = try fixture.read(good + [0]) }, throws: isDamage)
        #expect(performing: { _ = try fixture.read(good + good) }, throws: isDamage)
    }

    @Test("SE-7: a newer format says so")
    func newerFormat() throws {
        let fixture = try SnapshotFixture()
        defer { fixture.remove() }
        for version: UInt32 in [2, 3, .max] {
            #expect {
                _ = try fixture.read(SnapshotFixture.file(version: version, description: "{}"))
            } throws: { error in
                isDamage(error) && error.localizedDescription.contains("newer version")
            }
        }
        #expect(
            performing: { _ = try fixture.read(SnapshotFixture.file(version: 0, description: "{}")) }, throws: isDamage)
    }

    @Test("SE-7: numbers that no session has are refused, although the checksum is right")
    func hostileNumbers() throws {
        let fixture = try SnapshotFixture()
        defer { fixture.remove() }
        let good = try JSONEncoder().encode(SnapshotDescription(try SnapshotFixture.snapshot()))
        let text = String(decoding: good, as: UTF8.self)
        for number in ["-1", "-9223372036854775808", "9223372036854775807", "16777217", "1e300", "1.5", "null", "[]"] {
            for key in ["ledgerCount", "promptCount", "byteCount", "tokenCount"] {
                let hostile = text.replacing(try Regex("\"\(key)\":[0-9]+"), with: "\"\(key)\":\(number)")
                #expect(hostile != text)
                let file = SnapshotFixture.file(description: hostile, payload: [UInt8](repeating: 0, count: 335))
                #expect(performing: { _ = try fixture.read(file) }, throws: isDamage)
            }
        }
        for description in ["", "{", "[]", "{}", String(repeating: "[", count: 100_000)] {
            let file = SnapshotFixture.file(description: description)
            #expect(performing: { _ = try fixture.read(file) }, throws: isDamage)
        }
    }

    @Test("SE-7: other files and folders are no snapshots, and a missing file is missing")
    func otherFiles() throws {
        let fixture = try SnapshotFixture()
        defer { fixture.remove() }
        let signal = CancellationSignal()
        #expect(throws: FileFailure.self) { try SnapshotFile().read(fixture.path, signal: signal) }
        #expect(performing: { _ = try SnapshotFile().read(fixture.folder.path, signal: signal) }, throws: isDamage)
        #expect(performing: { _ = try SnapshotFile().read(PocketModel.url.path, signal: signal) }, throws: isDamage)
    }

    @Test(
        "SE-7: when saving fails, the old file stays and nothing else is left",
        arguments: FailingFileCalls.Fault.allCases)
    func failures(fault: FailingFileCalls.Fault) throws {
        let fixture = try SnapshotFixture()
        defer { fixture.remove() }
        _ = try fixture.roundTrip(try SnapshotFixture.snapshot())
        let old = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        var changed = try SnapshotFixture.snapshot()
        changed.system = "other"
        #expect { try fixture.roundTrip(changed, calls: FailingFileCalls(fault)) } throws: { error in
            (error as? FileFailure)?.code == ENOSPC
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == old)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["talk.session"])
    }

    @Test("a cancelled save leaves the old file, also with a name as long as names can be")
    func cancelled() throws {
        let fixture = try SnapshotFixture()
        defer { fixture.remove() }
        let path = fixture.folder.appendingPathComponent(String(repeating: "x", count: 255)).path
        let snapshot = try SnapshotFixture.snapshot()
        try SnapshotFile().write(snapshot, to: path, signal: CancellationSignal())
        let signal = CancellationSignal()
        signal.set()
        #expect(throws: CancellationError.self) { try SnapshotFile().write(snapshot, to: path, signal: signal) }
        #expect(try SnapshotFile().read(path, signal: CancellationSignal()).transcript == snapshot.transcript)
        #expect(throws: CancellationError.self) { try SnapshotFile().read(path, signal: signal) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).count == 1)
    }
}
