import CarbocationLocalLLM
import TestSupport
import Testing

/// Checked against the decompressor that the platform's transport uses.
@Suite("Gzip", .timeLimit(.minutes(10)))
struct GzipTests {
    private static func decompressed(_ bytes: [UInt8], limit: Int64) async throws -> [UInt8] {
        let server = try HTTPTestServer { _ in
            ServerReply(headers: [ServerHeader("Content-Encoding", "gzip")], body: ServerContent(bytes))
        }
        let request = HTTPRequest(url: server.url("/"), acceptsCompression: true, maximumBodyBytes: limit)
        let recorder = ResponseRecorder()
        // The checksum of the zeros is wrong, which shows only after the last of them.
        try? await HTTPTransports.platformDefault.perform(request, receiver: recorder)
        return recorder.body
    }

    @Test("stored bytes come back", arguments: [0, 1, 65_535, 65_536, 200_000])
    func storing(count: Int64) async throws {
        let bytes = ServerContent.pattern(seed: 1, count: count).bytes
        #expect(try await Self.decompressed(Gzip.storing(bytes), limit: count) == bytes)
    }

    @Test("zeros come back in their number", arguments: [0, 1, 15, 16, 17, 23, 24, 25, 31, 1000, 1001])
    func zeros(repeats: Int) async throws {
        let file = Gzip.zeros(repeats * 258)
        let bytes = try await Self.decompressed(file, limit: 1 << 20)
        #expect(bytes.count == repeats * 258 + 1)
        #expect(bytes.allSatisfy { $0 == 0 })
    }

    @Test("few bytes become many")
    func ratio() {
        #expect(Gzip.zeros(80 << 20).count < 600_000)
    }
}
