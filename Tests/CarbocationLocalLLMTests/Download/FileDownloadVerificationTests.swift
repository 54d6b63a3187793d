import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("Verification of a download")
struct FileDownloadVerificationTests {
    private static let wrong = String(repeating: "0", count: 64)

    @Test(
        "DL-9, D12: what is no model is refused at its first bytes, and nothing is kept",
        arguments: [
            ("<!DOCTYPE html><title>Sign in</title>", "an HTML page"),
            ("version https://git-lfs.github.com/spec/v1\noid sha256:00", "a Git LFS pointer"),
            ("PK\u{3}\u{4}", "other data"), ("GGU", "other data"), ("", "an empty file"),
        ])
    func noModel(text: String, what: String) async throws {
        for servesRanges in [true, false] {
            var resource = ServerResource.small(text)
            resource.servesRanges = servesRanges
            let rig = DownloadRig(resource)
            await #expect(throws: ModelDownloaderError.notAGGUF(what)) { try await rig.download() }
            #expect(rig.folder.partialNames.isEmpty)
            #expect(rig.ranges.count == 1)
        }
    }

    @Test("DL-10: the caller's hash, in any spelling; a wrong one deletes the data")
    func callersHash() async throws {
        let resource = ServerResource.model(kibibytes: 1500)
        let rig = DownloadRig(resource)
        let hash = resource.content.sha256
        #expect(try await rig.download(sha256: " \(hash.uppercased())\n").sha256 == hash)
        await #expect(throws: ModelDownloaderError.hashMismatch(expected: Self.wrong, actual: hash)) {
            try await rig.download(sha256: Self.wrong)
        }
        #expect(rig.folder.partialNames.isEmpty)
    }

    @Test(
        "DL-10, D22: a tag of 64 hexadecimal digits is a hash, one of 40 is not",
        arguments: [("\"\(wrong)\"", true), ("W/\"\(wrong)\"", true), ("\"\(wrong.prefix(40))\"", false)])
    func etag(etag: String, isHash: Bool) async throws {
        let resource = ServerResource.model(kibibytes: 100, etag: etag)
        let rig = DownloadRig(resource)
        guard isHash else {
            #expect(try await rig.download().sha256 == resource.content.sha256)
            return
        }
        await #expect(
            throws: ModelDownloaderError.hashMismatch(expected: Self.wrong, actual: resource.content.sha256)
        ) { try await rig.download() }
    }

    @Test("DL-10, D08: what a hub says on its redirect about the file behind it")
    func linked() async throws {
        let resource = ServerResource.model(kibibytes: 100)
        let size = resource.content.count
        for (name, value, error) in [
            ("X-Linked-ETag", "\"\(resource.content.sha256)\"", nil), ("X-Linked-Size", "\(size)", nil),
            (
                "X-Linked-ETag", "\"\(Self.wrong)\"",
                .hashMismatch(expected: Self.wrong, actual: resource.content.sha256)
            ),
            ("X-Linked-Size", "5", .sizeMismatch(expected: 5, actual: size)), ("X-Linked-Size", "-5", nil),
        ] as [(String, String, ModelDownloaderError?)] {
            let rig = DownloadRig { request in
                guard request.path != "/behind" else { return resource.reply(to: request) }
                var reply = ServerReply.redirect("/behind")
                reply[header: name] = value
                return reply
            }
            if let error {
                await #expect(throws: error) { try await rig.download() }
                #expect(rig.folder.partialNames.isEmpty)
            } else {
                #expect(try await rig.download().sha256 == resource.content.sha256)
            }
        }
    }

    @Test("DL-10: damage on the way is found")
    func damage() async throws {
        let resource = ServerResource.model(kibibytes: 2048)
        let rig = DownloadRig(resource)
        rig.faults.inject(.corrupt(at: 1000), into: .range(from: 1 << 20))
        let error = await #expect(throws: ModelDownloaderError.self) {
            try await rig.download(sha256: resource.content.sha256)
        }
        guard case .hashMismatch(expected: resource.content.sha256, actual: _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(rig.folder.partialNames.isEmpty)
    }

    @Test("DL-11, D16: room is needed for what is missing, not for what is there")
    func space() async throws {
        let resource = ServerResource.model(kibibytes: 4096)
        let fileSystem = FaultyFileSystem()
        var rig = DownloadRig(resource)
        rig.fileSystem = fileSystem
        let spare: Int64 = 64 << 20
        fileSystem.setFreeBytes(4 << 20 + spare - 1)
        await #expect(
            throws: ModelDownloaderError.insufficientDiskSpace(
                required: 4 << 20 + spare, available: 4 << 20 + spare - 1)
        ) { try await rig.download() }
        #expect(rig.folder.partialNames.isEmpty)
        try rig.leave(resource.content.bytes) { sidecar in
            (sidecar.totalBytes, sidecar.chunkSize, sidecar.doneChunks) = (4 << 20, 1 << 20, [0, 1, 3])
        }
        fileSystem.setFreeBytes(1 << 20 + spare)
        #expect(try await rig.download().sha256 == resource.content.sha256)
    }

    @Test("hostile sizes are refused before anything is written or allocated", arguments: [1 << 62, Int64.max - 1])
    func hostileTotal(total: Int64) async throws {
        for hasRange in [true, false] {
            let rig = DownloadRig { _ in
                var reply = ServerReply(status: hasRange ? 206 : 200, body: ServerContent("GGUF"))
                if hasRange { reply[header: "Content-Range"] = "bytes 0-3/\(total)" }
                if !hasRange { reply.framing = .declaredLength(total) }
                return reply
            }
            let error = await #expect(throws: ModelDownloaderError.self) { try await rig.download() }
            guard case .insufficientDiskSpace? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(rig.folder.partialNames.isEmpty)
        }
    }
}
