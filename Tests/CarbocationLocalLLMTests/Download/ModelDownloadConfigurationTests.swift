import CarbocationLocalLLM
import Testing

@Suite("ModelDownloadConfiguration")
struct ModelDownloadConfigurationTests {
    @Test("DL-4: values are moved into their ranges")
    func clamps() {
        let large = ModelDownloadConfiguration(parallelConnections: 100, chunkSize: 128, requestTimeout: 1)
        #expect(large.parallelConnections == 32)
        #expect(large.chunkSize == 1 << 20)
        #expect(large.requestTimeout == 30)
        let small = ModelDownloadConfiguration(
            parallelConnections: .min, chunkSize: .min, requestTimeout: -.infinity, maximumRetries: -1)
        #expect(small.parallelConnections == 1)
        #expect(small.maximumRetries == 0)
        #expect(small.requestTimeout == 30)
        #expect(ModelDownloadConfiguration(requestTimeout: .nan).requestTimeout == 30)
    }

    @Test("DL-4: defaults")
    func defaults() {
        let configuration = ModelDownloadConfiguration()
        #expect(configuration.parallelConnections == 12)
        #expect(configuration.chunkSize == 16 << 20)
        #expect(configuration.requestTimeout == 60)
        #expect(configuration.maximumRetries == 5)
    }
}

@Suite("DownloadProgress")
struct DownloadProgressTests {
    @Test(
        "DL-16: the fraction is 0 for an unknown total, and between 0 and 1 else",
        arguments: [(30, 100, 0.3), (30, 0, 0), (-5, 100, 0), (200, 100, 1), (100, 100, 1), (1, -1, 0)]
            as [(Int64, Int64, Double)])
    func fraction(received: Int64, total: Int64, expected: Double) {
        let progress = DownloadProgress(bytesReceived: received, totalBytes: total, bytesPerSecond: 0)
        #expect(progress.fractionComplete == expected)
    }
}

@Suite("ModelDownloaderError")
struct ModelDownloaderErrorTests {
    @Test(
        "descriptions are sentences with a remedy",
        arguments: [
            ModelDownloaderError.badURL("x"), .httpStatus(500), .unauthorized, .gated, .notFound,
            .hashMismatch(expected: "a", actual: "b"), .sizeMismatch(expected: 1, actual: 2), .incompleteResponse,
            .notAGGUF("an HTML page"), .insufficientDiskSpace(required: 2, available: 1), .retriesExhausted("x"),
            .fileSystem(String(repeating: "x", count: 10_000)),
        ])
    func descriptions(error: ModelDownloaderError) throws {
        let text = try #require(error.errorDescription)
        #expect(text.hasSuffix("."))
        #expect(text.count < 700)
        #expect(text.contains(try #require(error.recoverySuggestion)))
    }

    @Test("D20: signing in, a rejected token and a licence call for different advice")
    func advice() {
        let errors = [ModelDownloaderError.unauthorized, .gated, .notFound]
        #expect(Set(errors.compactMap(\.recoverySuggestion)).count == 3)
    }
}
