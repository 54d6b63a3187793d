import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("Disk faults and sudden ends")
struct FileDownloadDiskTests {
    private let resource = ServerResource.model(kibibytes: 3500)

    private func rig(_ fileSystem: FaultyFileSystem) -> DownloadRig {
        var rig = DownloadRig(resource)
        rig.fileSystem = fileSystem
        return rig
    }

    @Test(
        "D16, DL-11: a refusal of the disk is a typed error; the download goes on when the disk is well again",
        arguments: [
            (.write, ENOSPC, 3), (.write, EIO, 0), (.flush, EIO, 0), (.move, EIO, 0), (.move, EIO, 1), (.move, EIO, 2),
            (.syncFolder, EIO, 0), (.writeSidecar, ENOSPC, 0), (.writeSidecar, ENOSPC, 1), (.truncate, EFBIG, 0),
            (.open, EACCES, 0), (.createFolder, EACCES, 0), (.lock, EACCES, 0), (.read, EIO, 0), (.remove, EACCES, 0),
            (.contents, EIO, 0), (.size, EIO, 0),
        ] as [(FaultyFileSystem.Operation, Int32, Int)])
    func refusals(operation: FaultyFileSystem.Operation, code: Int32, skips: Int) async throws {
        let fileSystem = FaultyFileSystem()
        let rig = rig(fileSystem)
        fileSystem.fail(operation, code: code, skipping: skips)
        let error = await #expect(throws: ModelDownloaderError.self) { try await rig.download() }
        guard case .fileSystem(let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(String(cString: strerror(code))))
        fileSystem.repair()
        let listed = try Self.listedRanges(rig)
        let before = rig.askedRanges.count
        #expect(try await rig.download().sha256 == resource.content.sha256)
        for range in rig.askedRanges.dropFirst(before) { #expect(!listed.contains { $0.overlaps(range) }) }
        #expect(rig.folder.partialNames == ["cllm-complete-\(rig.files.key).gguf"])
    }

    @Test("D16: ENOSPC in the middle keeps the chunks that were written before")
    func keepsChunks() async throws {
        let fileSystem = FaultyFileSystem()
        let rig = rig(fileSystem)
        // The first megabyte in five writes, then one of the second.
        fileSystem.fail(.write, code: ENOSPC, skipping: 6)
        await #expect(throws: ModelDownloaderError.self) { try await rig.download(connections: 1) }
        let partial = try #require(ModelDownloader.listPartials(in: rig.folder.url).first)
        #expect(partial.bytesOnDisk == 1 << 20)
    }

    @Test(
        "DL-2, DL-12: whenever the process ends, the next call goes on and fetches nothing again that is listed",
        .timeLimit(.minutes(10)), arguments: [1, 4])
    func suddenEnds(connections: Int) async throws {
        var changes = 0
        var hasFinished = false
        var endsWithListedChunks = 0
        while !hasFinished {
            let fileSystem = FaultyFileSystem()
            fileSystem.die(after: changes)
            let rig = rig(fileSystem)
            // Time for a checkpoint after every few writes.
            fileSystem.setOnChange { rig.clock.advance(by: .milliseconds(400)) }
            let first = try? await rig.download(connections: connections)
            hasFinished = first != nil
            if try !Self.listedRanges(rig).isEmpty { endsWithListedChunks += 1 }
            try await goOn(rig, hasFinished: hasFinished, changes: changes)
            changes += 1
        }
        // As many as there are writes and steps of bookkeeping.
        #expect(changes > 30)
        #expect(endsWithListedChunks > 3)
    }

    private func goOn(_ rig: DownloadRig, hasFinished: Bool, changes: Int) async throws {
        let listed = try Self.listedRanges(rig)
        let before = rig.askedRanges.count
        var second = rig.otherProcess
        second.environment.fileSystem = LocalFileSystem()
        let result = try await rig.download(engine: second)
        #expect(result.sha256 == resource.content.sha256)
        #expect(try Data(contentsOf: result.tempURL) == Data(resource.content.bytes))
        if !hasFinished {
            for range in rig.askedRanges.dropFirst(before) {
                #expect(!listed.contains { $0.overlaps(range) }, "fetched again after \(changes) changes: \(range)")
            }
        }
        #expect(rig.folder.partialNames == ["cllm-complete-\(rig.files.key).gguf"])
    }

    @Test("DL-2: what a sudden end leaves is listed or removed, and can be deleted", .timeLimit(.minutes(10)))
    func suddenEndsListed() async throws {
        for changes in stride(from: 0, through: 60, by: 3) {
            let fileSystem = FaultyFileSystem()
            fileSystem.die(after: changes)
            let rig = rig(fileSystem)
            _ = try? await rig.download(connections: 1)
            for partial in ModelDownloader.listPartials(in: rig.folder.url) {
                try ModelDownloader.deletePartial(partial)
            }
            let rest = rig.folder.partialNames.filter { !$0.hasPrefix("cllm-complete-") }
            #expect(rest.isEmpty, "after \(changes) changes")
        }
    }

    @Test("DL-2, DL-12: data is flushed before a sidecar lists it, and before it gets its final name")
    func order() async throws {
        let fileSystem = FaultyFileSystem()
        let rig = rig(fileSystem)
        _ = try await rig.download(connections: 1)
        var steps: [FaultyFileSystem.Operation] = []
        for step in fileSystem.log where [.write, .flush, .writeSidecar, .move, .syncFolder, .remove].contains(step) {
            if steps.last != step { steps.append(step) }
        }
        #expect(
            steps == [
                .remove, .writeSidecar, .move, .write, .flush, .writeSidecar, .move, .flush, .writeSidecar, .move,
                .syncFolder, .remove,
            ])
    }

    @Test("a sidecar that cannot be read for the moment is not taken for absent")
    func unreadableSidecar() async throws {
        let fileSystem = FaultyFileSystem()
        let rig = rig(fileSystem)
        rig.faults.inject(.status(503), into: .range(from: 2 << 20))
        await #expect(throws: ModelDownloaderError.self) { try await rig.download(retries: 0) }
        fileSystem.fail(.contents, code: EIO)
        await #expect(throws: ModelDownloaderError.self) { try await rig.download() }
        #expect(ModelDownloader.listPartials(in: rig.folder.url).first?.bytesOnDisk ?? 0 >= 1 << 20)
    }

    @Test("D15: without file locks there is still one writer in the process")
    func noLocks() async throws {
        let fileSystem = FaultyFileSystem()
        fileSystem.removeLocks()
        let rig = rig(fileSystem)
        var other = rig.engine
        other.transfers = SharedTransfers()
        async let first = rig.download()
        async let second = rig.download(engine: other)
        let results = try await [first, second]
        #expect(results.allSatisfy { $0.sha256 == resource.content.sha256 })
        #expect(rig.askedRanges.count { $0.lowerBound == 0 } == 2)
    }

    /// The bytes that the sidecar on disk says are there.
    private static func listedRanges(_ rig: DownloadRig) throws -> [Range<Int64>] {
        guard let sidecar = try rig.store.sidecar() else { return [] }
        if sidecar.complete { return [0..<sidecar.totalBytes] }
        guard let plan = sidecar.plan else { return [] }
        return plan.done.map(plan.range)
    }
}
