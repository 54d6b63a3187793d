import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("Downloading a file")
struct FileDownloadTests {
    @Test("DL-5: a first ranged request, then chunks; the result is whole, hashed and alone in the folder")
    func chunks() async throws {
        let resource = ServerResource.model(kibibytes: 3584)
        let rig = DownloadRig(resource)
        let result = try await rig.download()
        #expect(try Data(contentsOf: result.tempURL) == Data(resource.content.bytes))
        #expect(result.sha256 == resource.content.sha256)
        #expect(result.sizeBytes == 3584 << 10)
        #expect(rig.folder.partialNames == ["cllm-complete-\(rig.files.key).gguf"])
        #expect(rig.ranges.first == "bytes=0-262143")
        #expect(
            Set(rig.ranges.dropFirst().compactMap { $0 }) == [
                "bytes=262144-1048575", "bytes=1048576-2097151", "bytes=2097152-3145727", "bytes=3145728-3670015",
            ])
    }

    @Test("DL-4, DL-6: headers of every request")
    func headers() async throws {
        let rig = DownloadRig(.model(kibibytes: 2048))
        _ = try await rig.download(token: " hf_secret ")
        for (index, request) in rig.transport.requests.enumerated() {
            #expect(request.headers["User-Agent"] == "CarbocationLocalLLM/1.0")
            #expect(request.headers["Accept-Encoding"] == "identity")
            #expect(request.headers["Authorization"] == "Bearer hf_secret")
            #expect(request.headers["If-Range"] == (index == 0 ? nil : "\"v1\""))
            #expect(request.timeout == 60)
        }
    }

    @Test("DL-5: servers without ranges, and answers of unknown length, are read as one stream")
    func stream() async throws {
        var resource = ServerResource.model(kibibytes: 700)
        resource.servesRanges = false
        for fault in [nil, ServerFault.chunked(), .lengthless] {
            let rig = DownloadRig(resource)
            if let fault { rig.faults.inject(fault) }
            let result = try await rig.download()
            #expect(try Data(contentsOf: result.tempURL) == Data(resource.content.bytes))
            #expect(result.sha256 == resource.content.sha256)
            #expect(rig.ranges.count == 1)
        }
    }

    @Test("DL-5: a part of an unknown whole is no use; the whole is asked for instead")
    func unknownTotal() async throws {
        let resource = ServerResource.model(kibibytes: 700)
        let rig = DownloadRig { request in
            var reply = resource.reply(to: request)
            if reply.status == 206 { reply[header: "Content-Range"] = "bytes 0-262143/*" }
            return reply
        }
        let result = try await rig.download()
        #expect(result.sha256 == resource.content.sha256)
        #expect(rig.ranges == ["bytes=0-262143", nil])
    }

    @Test("sizes around the first request and the chunk", arguments: [1, 255, 256, 257, 1023, 1024, 1025, 2048])
    func sizes(kibibytes: Int64) async throws {
        let resource = ServerResource.model(kibibytes: kibibytes)
        let result = try await DownloadRig(resource).download()
        #expect(result.sizeBytes == kibibytes << 10)
        #expect(result.sha256 == resource.content.sha256)
    }

    @Test("bodies arrive in pieces of any size", arguments: [1, 3, 100, 4096])
    func pieces(size: Int64) async throws {
        let resource = ServerResource.model(kibibytes: 5)
        let result = try await DownloadRig(resource, pieceSize: size).download()
        #expect(result.sha256 == resource.content.sha256)
    }

    @Test("a server that sends less than was asked for is asked again, without waiting")
    func shortRanges() async throws {
        let resource = ServerResource.model(kibibytes: 2100)
        let rig = DownloadRig { request in
            var reply = resource.reply(to: request)
            guard reply.body.count > 100 << 10, let range = reply[header: "Content-Range"],
                let start = Int64(range.dropFirst(6).prefix { $0 != "-" })
            else { return reply }
            reply.body = reply.body.slice(0..<100 << 10)
            reply[header: "Content-Range"] = "bytes \(start)-\(start + 100 << 10 - 1)/\(resource.content.count)"
            return reply
        }
        let result = try await rig.download(retries: 0)
        #expect(result.sha256 == resource.content.sha256)
        #expect(rig.clock.retries.isEmpty)
    }

    @Test("bytes beyond what was asked for are not taken")
    func tooMuch() async throws {
        let resource = ServerResource.model(kibibytes: 2560)
        let rig = DownloadRig(resource)
        rig.faults.inject(.shiftRange(by: 0, of: resource))
        let result = try await rig.download()
        #expect(result.sha256 == resource.content.sha256)
        #expect(result.sizeBytes == 2560 << 10)
    }

    @Test("DL-6, D04: a range that starts early is written at its true offset, and hashed as written")
    func earlyRange() async throws {
        let resource = ServerResource.model(kibibytes: 3072)
        let rig = DownloadRig(resource)
        rig.faults.inject(.shiftRange(by: -600_000, of: resource), into: .range(from: 2 << 20), times: 1)
        let result = try await rig.download(connections: 1)
        #expect(result.sha256 == resource.content.sha256)
        #expect(try Data(contentsOf: result.tempURL) == Data(resource.content.bytes))
    }

    @Test("DL-4: no more requests at a time than connections", arguments: [1, 3])
    func connections(limit: Int) async throws {
        let resource = ServerResource.model(kibibytes: 8 << 10)
        let rig = DownloadRig(resource)
        let counter = CountingTransport(base: rig.transport)
        let result = try await rig.download(connections: limit, engine: rig.engine(transport: counter))
        #expect(result.sha256 == resource.content.sha256)
        #expect(counter.most <= limit)
    }

    @Test(
        "what is no http address is refused before anything is done",
        arguments: ["file:///etc/passwd", "ftp://h/x.gguf", "http://user:secret@h/x.gguf", "x.gguf", "data:,GGUF"])
    func badURL(text: String) async throws {
        let rig = DownloadRig(.model(kibibytes: 1))
        let url = try #require(URL(string: text))
        let error = await #expect(throws: ModelDownloaderError.self) { try await rig.download(url) }
        #expect(error?.errorDescription?.contains("secret") == false)
        #expect(rig.ranges.isEmpty)
        #expect(rig.folder.partialNames.isEmpty)
    }

    @Test("names from the server or the address never become local names", arguments: ["..%2F..%2Fx.gguf", "a/../b"])
    func names(path: String) async throws {
        var resource = ServerResource.model(kibibytes: 1)
        resource.headers = [ServerHeader("Content-Disposition", "attachment; filename=\"../../evil.gguf\"")]
        let rig = DownloadRig(resource)
        let url = try #require(URL(string: "http://127.0.0.1/main/\(path)"))
        let result = try await rig.download(url)
        #expect(result.tempURL.deletingLastPathComponent().lastPathComponent == ".partials")
        #expect(rig.folder.partialNames == ["cllm-complete-\(PartialFiles.key(of: url)).gguf"])
    }
}

/// Counts how many exchanges are going on.
final class CountingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let counts = Locked((now: 0, most: 0))

    init(base: any HTTPTransport) {
        self.base = base
    }

    var most: Int { counts.withLock { $0.most } }

    func perform(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) async throws {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
        defer { counts.withLock { $0.now -= 1 } }
        await Task.yield()
        try await base.perform(request, receiver: receiver)
    }
}
