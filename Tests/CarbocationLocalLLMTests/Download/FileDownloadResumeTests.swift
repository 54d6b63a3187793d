import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("Going on with partial data")
struct FileDownloadResumeTests {
    private static let text = "GGUF-and-then-some"

    private func rig(_ etag: String? = "\"v1\"") -> DownloadRig { DownloadRig(.small(Self.text, etag: etag)) }

    private func leave(_ rig: DownloadRig, _ prefix: Int, _ change: (inout DownloadSidecar) -> Void = { _ in }) throws {
        try rig.leave(Array(Self.text.utf8.prefix(prefix))) { sidecar in
            sidecar.totalBytes = Int64(Self.text.utf8.count)
            change(&sidecar)
        }
    }

    private func expectWhole(_ result: ModelDownloadResult) throws {
        #expect(try String(contentsOf: result.tempURL, encoding: .utf8) == Self.text)
        #expect(result.sha256 == SHA256Hasher.hash(Array(Self.text.utf8)))
    }

    @Test("DL-6: the rest is asked for under the stored tag")
    func rest() async throws {
        let rig = rig()
        try leave(rig, 5)
        try expectWhole(try await rig.download())
        #expect(rig.ranges == ["bytes=5-"])
        #expect(rig.transport.requests[0].headers["If-Range"] == "\"v1\"")
    }

    @Test("DL-6, D03: 200 with the whole, 200 or 206 with the rest")
    func statuses() async throws {
        let whole = rig()
        whole.faults.inject(.ignoreRange(of: .small(Self.text)))
        try leave(whole, 5)
        try expectWhole(try await whole.download())
        #expect(whole.ranges.count == 1)
        let slice = rig()
        slice.faults.inject(.rangeAs200)
        try leave(slice, 5)
        try expectWhole(try await slice.download())
    }

    @Test("DL-6, D04: a reply that starts earlier is written where it belongs, wrong bytes there are mended")
    func earlier() async throws {
        let rig = rig()
        var data = Array(Self.text.utf8.prefix(9))
        data[8] = 0
        try rig.leave(data) { $0.totalBytes = Int64(Self.text.utf8.count) }
        rig.faults.inject(.shiftRange(by: -1, of: .small(Self.text)), times: 1)
        try expectWhole(try await rig.download())
    }

    @Test("DL-6, D04: a reply that starts later starts the file over")
    func later() async throws {
        let rig = rig()
        try leave(rig, 5)
        rig.faults.inject(.shiftRange(by: 1, of: .small(Self.text)), times: 1)
        try expectWhole(try await rig.download())
        #expect(rig.ranges == ["bytes=5-", "bytes=0-262143"])
    }

    @Test("D01: data of the whole size is verified without a request")
    func complete() async throws {
        let rig = rig()
        try leave(rig, Self.text.utf8.count)
        try expectWhole(try await rig.download(sha256: SHA256Hasher.hash(Array(Self.text.utf8))))
        #expect(rig.ranges.isEmpty)
    }

    @Test("D01: 416 that names the size of the data ends the download")
    func satisfied() async throws {
        let rig = rig()
        try rig.leave(Array(Self.text.utf8))
        try expectWhole(try await rig.download())
        #expect(rig.ranges == ["bytes=\(Self.text.utf8.count)-"])
    }

    @Test("D01: data that is larger than the file is discarded, once", arguments: [true, false])
    func larger(isTotalKnown: Bool) async throws {
        let rig = rig()
        try rig.leave(Array((Self.text + "more").utf8)) { sidecar in
            if isTotalKnown { sidecar.totalBytes = Int64(Self.text.utf8.count) }
        }
        try expectWhole(try await rig.download())
        #expect(rig.ranges.last == "bytes=0-262143")
        #expect(rig.ranges.count == (isTotalKnown ? 1 : 2))
    }

    @Test("D05: data of another version, or of one that cannot be told, is not joined", arguments: [nil, "W/\"v1\""])
    func unknownVersion(etag: String?) async throws {
        let rig = rig()
        try leave(rig, 5) { $0.etag = etag }
        try expectWhole(try await rig.download())
        #expect(rig.ranges == ["bytes=0-262143"])
    }

    @Test("D05: the remote file has changed, with and without a server that looks at If-Range")
    func changed() async throws {
        let rig = rig("\"v2\"")
        try rig.leave(Array("GGUFx".utf8)) { $0.totalBytes = Int64(Self.text.utf8.count) }
        try expectWhole(try await rig.download())

        let careless = rig
        try careless.leave(Array("GGUFx".utf8)) { $0.totalBytes = Int64(Self.text.utf8.count) }
        careless.faults.inject(.shiftRange(by: 0, of: .small(Self.text)))
        try expectWhole(try await careless.download())
    }

    @Test("DL-6: a file that changes during the transfer is started over, but only once")
    func changesAgain() async throws {
        let resource = ServerResource.model(kibibytes: 3072)
        let rig = DownloadRig(resource)
        rig.faults.inject(.etag("\"v2\""), into: .range(from: 1 << 20), times: 1)
        #expect(try await rig.download().sha256 == resource.content.sha256)
        #expect(rig.ranges.count { $0 == "bytes=0-262143" } == 2)

        let restless = DownloadRig(resource)
        restless.faults.inject(.etag("\"v2\""), into: .range(from: 1 << 20))
        await #expect(throws: ModelDownloaderError.incompleteResponse) { try await restless.download() }
        #expect(restless.ranges.count { $0 == "bytes=0-262143" } == 2)
    }

    @Test("DL-6: a server that stops serving ranges is read from the start")
    func rangesLost() async throws {
        let resource = ServerResource.model(kibibytes: 3072)
        let rig = DownloadRig(resource)
        rig.faults.inject(.ignoreRange(of: resource), skipping: 2)
        #expect(try await rig.download().sha256 == resource.content.sha256)
    }

    @Test("DL-2: chunks that are listed are not fetched again, whatever chunk size is asked for now")
    func chunks() async throws {
        let resource = ServerResource.model(kibibytes: 4096)
        let rig = DownloadRig(resource)
        var data = resource.content.bytes
        for index in 0..<data.count where !(1 << 20..<3 << 20).contains(index) { data[index] = 0 }
        try rig.leave(data) { sidecar in
            sidecar.totalBytes = 4 << 20
            sidecar.chunkSize = 512 << 10
            sidecar.doneChunks = [2, 3, 4, 5]
        }
        #expect(try await rig.download().sha256 == resource.content.sha256)
        #expect(rig.askedRanges.allSatisfy { !$0.overlaps(1 << 20..<3 << 20) })
        #expect(rig.askedRanges.count == 4)
    }

    @Test(
        "DL-6: a range that starts early mends wrong bytes of an earlier chunk, and the hash is that of the mended file"
    )
    func mendedChunk() async throws {
        let resource = ServerResource.model(kibibytes: 3072)
        let rig = DownloadRig(resource)
        var data = resource.content.bytes
        data[2 << 20 - 1] ^= 1
        try rig.leave(data) { sidecar in
            (sidecar.totalBytes, sidecar.chunkSize, sidecar.doneChunks) = (3 << 20, 1 << 20, [0, 1])
        }
        rig.faults.inject(.shiftRange(by: -1000, of: resource), into: .range(from: 2 << 20))
        #expect(try await rig.download().sha256 == resource.content.sha256)
        #expect(rig.ranges.count == 1)
    }

    @Test("all chunks are there: verified without a request")
    func allChunks() async throws {
        let resource = ServerResource.model(kibibytes: 2048)
        let rig = DownloadRig(resource)
        try rig.leave(resource.content.bytes) { sidecar in
            sidecar.totalBytes = 2 << 20
            sidecar.chunkSize = 1 << 20
            sidecar.doneChunks = [0, 1]
        }
        #expect(try await rig.download().sha256 == resource.content.sha256)
        #expect(rig.ranges.isEmpty)
    }

    @Test(
        "a sidecar that is damaged, of another address or of a later version does no harm",
        arguments: ["", "{", "[]", #"{"url":"http://127.0.0.1/other","totalBytes":18}"#, #"{"totalBytes":18}"#])
    func damagedSidecar(text: String) async throws {
        let rig = rig()
        try leave(rig, 5)
        try Data(text.utf8).write(to: rig.files.sidecar)
        try expectWhole(try await rig.download())
        try leave(rig, 5) { $0.schemaVersion = 99 }
        try expectWhole(try await rig.download())
    }

    @Test("hostile numbers in a sidecar neither crash nor allocate")
    func hostileSidecar() async throws {
        let rig = rig()
        for change in [
            { $0.totalBytes = .max }, { $0.totalBytes = .min },
            { ($0.chunkSize, $0.doneChunks) = (1, [.max, .min, 0]) },
            { ($0.totalBytes, $0.chunkSize, $0.doneChunks) = (.max, 1, [0]) },
            { ($0.chunkSize, $0.doneChunks) = (0, []) },
        ] as [(inout DownloadSidecar) -> Void] {
            try leave(rig, 5, change)
            _ = try? await rig.download(retries: 0)
            try rig.store.discard()
        }
        try expectWhole(try await rig.download())
    }
}
