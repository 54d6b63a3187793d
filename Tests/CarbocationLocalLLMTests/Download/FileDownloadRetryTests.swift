import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("Retries of a download")
struct FileDownloadRetryTests {
    @Test("DL-7: 503 twice, then a success, after two waits")
    func unavailable() async throws {
        let resource = ServerResource.model(kibibytes: 100)
        let rig = DownloadRig(resource)
        rig.faults.inject(.status(503), times: 2)
        #expect(try await rig.download().sha256 == resource.content.sha256)
        #expect(rig.clock.retries == [.seconds(1), .seconds(2)])
        #expect(rig.ranges.count == 3)
    }

    @Test("DL-7: the server's own wait is used", arguments: [("7", 7), ("Fri, 15 Jan 2027 08:00:30 GMT", 30)])
    func retryAfter(value: String, seconds: Int) async throws {
        let rig = DownloadRig(.model(kibibytes: 100))
        rig.faults.inject(.tooManyRequests(retryAfter: value), times: 1)
        _ = try await rig.download()
        #expect(rig.clock.retries == [.seconds(seconds)])
    }

    @Test("DL-7: every passing failure is tried again, in the middle of a chunk too, from where it broke off")
    func middle() async throws {
        let resource = ServerResource.model(kibibytes: 3072)
        let faults: [ServerFault] = [
            .drop(after: 300_000), .drop(after: 0), .dropBeforeHead(), .status(500), .status(408), .status(425),
            .contentLength(2 << 20), .htmlInsteadOfData, .oversize(by: 1000), .truncate(to: 300_000),
            .body(.pattern(seed: 1, count: 200_000), type: "application/octet-stream"),
            .body(.pattern(seed: 1, count: 1 << 20), type: "text/html; charset=utf-8"),
        ]
        for fault in faults {
            let rig = DownloadRig(resource)
            rig.faults.inject(fault, into: .range(from: 1 << 20), times: 1)
            #expect(try await rig.download(connections: 2).sha256 == resource.content.sha256)
            #expect(rig.clock.retries.count == 1)
        }
    }

    @Test("DL-7: what arrived before a break is not fetched again")
    func continued() async throws {
        let resource = ServerResource.model(kibibytes: 2048)
        let rig = DownloadRig(resource)
        rig.faults.inject(.drop(after: 300_000), into: .range(from: 1 << 20), times: 1)
        _ = try await rig.download(connections: 1)
        #expect(rig.ranges.last == "bytes=\(1 << 20 + 300_000)-2097151")
    }

    @Test("DL-7: each chunk has its own tries; then the error comes, and what has arrived is kept")
    func exhausted() async throws {
        let resource = ServerResource.model(kibibytes: 3072)
        let rig = DownloadRig(resource)
        rig.faults.inject(.status(503), into: .range(from: 1 << 20))
        let error = await #expect(throws: ModelDownloaderError.self) { try await rig.download(retries: 2) }
        #expect(error == .retriesExhausted("the server answered with status 503"))
        #expect(rig.clock.retries.count == 2)
        #expect(rig.askedRanges.count { $0.lowerBound == 1 << 20 } == 3)
        #expect(!rig.folder.partialNames.contains { $0.contains("complete") })
        let partial = try #require(ModelDownloader.listPartials(in: rig.folder.url).first)
        #expect(partial.bytesOnDisk == 1 << 20)
        #expect(partial.totalBytes == 3 << 20)
    }

    @Test("DL-7: other workers finish the chunk that they are at before an error is thrown")
    func draining() async throws {
        let resource = ServerResource.model(kibibytes: 4096)
        let rig = DownloadRig(resource)
        rig.faults.inject(.status(404), into: .range(from: 1 << 20))
        await #expect(throws: ModelDownloaderError.notFound) { try await rig.download() }
        let sidecar = try #require(try rig.store.sidecar())
        let begun = Set(rig.askedRanges.map { $0.lowerBound / DownloadRig.mebibyte }).subtracting([1])
        #expect(Set(sidecar.doneChunks ?? []) == begun)
        #expect(rig.clock.retries.isEmpty)
    }

    @Test(
        "DL-7, D20: refusals are not tried again, and their pages are not kept",
        arguments: [
            (401, .unauthorized), (403, .gated), (404, .notFound), (410, .httpStatus(410)), (501, .httpStatus(501)),
        ] as [(Int, ModelDownloaderError)])
    func refused(status: Int, error: ModelDownloaderError) async throws {
        let rig = DownloadRig(.model(kibibytes: 100))
        rig.faults.inject(.status(status))
        await #expect(throws: error) { try await rig.download() }
        #expect(rig.ranges.count == 1)
        #expect(rig.folder.partialNames.isEmpty)
    }

    @Test("DL-7: a body shorter than announced is tried again; nothing gets the final name meanwhile")
    func shortBody() async throws {
        var resource = ServerResource(.gguf(seed: 3, count: 1000), etag: nil)
        resource.servesRanges = false
        let rig = DownloadRig(resource)
        rig.faults.inject(.drop(after: 900), times: 2)
        #expect(try await rig.download().sha256 == resource.content.sha256)
        #expect(rig.clock.retries.count == 2)

        let broken = DownloadRig(resource)
        broken.faults.inject(.drop(after: 900))
        await #expect(throws: ModelDownloaderError.self) { try await broken.download(retries: 3) }
        #expect(broken.ranges.count == 4)
        #expect(!broken.folder.partialNames.contains { $0.contains("complete") })
    }

    @Test("DL-7: a server that cannot be reached, in words", arguments: [0, 2])
    func unreachable(retries: Int) async throws {
        let rig = DownloadRig(.model(kibibytes: 100))
        rig.faults.inject(.dropBeforeHead())
        await #expect(throws: ModelDownloaderError.retriesExhausted("reply cut")) {
            try await rig.download(retries: retries)
        }
        #expect(rig.ranges.count == retries + 1)
        #expect(rig.folder.partialNames.isEmpty)
    }

    @Test("DL-8: redirects without end are not tried again")
    func loop() async throws {
        let rig = DownloadRig(.model(kibibytes: 100))
        rig.faults.inject(.endlessRedirect)
        await #expect(throws: ModelDownloaderError.self) { try await rig.download() }
        #expect(rig.ranges.count == 11)
        #expect(rig.clock.retries.isEmpty)
    }

    @Test("DL-8: redirects to anything but http", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher:x"])
    func otherSchemes(location: String) async throws {
        let rig = DownloadRig(.model(kibibytes: 100))
        rig.faults.inject(.redirect(to: location))
        await #expect(throws: ModelDownloaderError.self) { try await rig.download() }
        #expect(rig.ranges.count == 1)
        #expect(rig.folder.partialNames.isEmpty)
    }
}
