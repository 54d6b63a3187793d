import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite("ResponseJudge")
struct ResponseJudgeTests {
    private func judge(
        _ status: Int, _ headers: HTTPHeaders = [:], from start: Int64 = 5, total: Int64? = 10,
        validator: RemoteValidator = RemoteValidator(etag: "\"v1\"", lastModified: nil)
    ) throws -> ResponseJudge.Verdict {
        try ResponseJudge(askedFrom: start, knownTotal: total, validator: validator)
            .judge(HTTPResponseHead(status: status, headers: headers), now: TestClock.date)
    }

    @Test(
        "DL-6, D03, D04: what the body carries decides where it goes, whatever the status",
        arguments: [
            (206, "bytes 5-9/10", .part(5..<10, total: 10)), (200, "bytes 5-9/10", .part(5..<10, total: 10)),
            (206, "bytes 4-9/10", .part(4..<10, total: 10)), (206, "bytes 0-9/10", .part(0..<10, total: 10)),
            (206, "bytes 5-6/*", .part(5..<7, total: nil)), (206, "bytes 9-5/10", .unusable), (206, "", .unusable),
            (200, "nonsense", .whole(total: nil)), (416, "bytes */10", .beyondEnd(total: 10)), (416, "", .unusable),
            (416, "bytes 0-1/10", .unusable),
        ] as [(Int, String, ResponseJudge.Verdict)])
    func places(status: Int, contentRange: String, verdict: ResponseJudge.Verdict) throws {
        #expect(try judge(status, ["Content-Range": contentRange]) == verdict)
    }

    @Test(
        "DL-6, D04, D05: a later start, another total or another version starts the file over",
        arguments: [
            ["Content-Range": "bytes 6-9/10"], ["Content-Range": "bytes 5-9/11"],
            ["Content-Range": "bytes 5-9/10", "ETag": "\"v2\""],
        ] as [HTTPHeaders])
    func changes(headers: HTTPHeaders) {
        #expect(throws: RemoteFileChanged.self) { try judge(206, headers) }
    }

    @Test("a part that ends before what was asked for is tried again")
    func early() {
        #expect(throws: RetryableFailure.self) { try judge(206, ["Content-Range": "bytes 0-4/10"]) }
    }

    @Test(
        "D08: the length of a whole",
        arguments: [
            (["Content-Length": "100"], 100), ([:], nil), (["Content-Length": "-1"], nil),
            (["Content-Length": "99999999999999999999"], nil),
            (["Content-Length": "100", "Content-Encoding": "gzip"], nil),
            (["Content-Length": "100", "Content-Encoding": "identity"], 100),
        ] as [(HTTPHeaders, Int64?)])
    func lengths(headers: HTTPHeaders, total: Int64?) throws {
        #expect(try judge(200, headers) == .whole(total: total))
    }

    @Test(
        "DL-7, D20: refusals that no retry would change",
        arguments: [
            (401, .unauthorized), (403, .gated), (404, .notFound), (410, .httpStatus(410)), (501, .httpStatus(501)),
            (505, .httpStatus(505)), (204, .httpStatus(204)), (302, .httpStatus(302)), (400, .httpStatus(400)),
        ] as [(Int, ModelDownloaderError)])
    func refusals(status: Int, error: ModelDownloaderError) {
        #expect(throws: error) { try judge(status) }
    }

    @Test("DL-7: statuses that may go away", arguments: [408, 425, 429, 500, 502, 503, 504, 507, 599])
    func transient(status: Int) throws {
        let failure = try #require(throws: RetryableFailure.self) { try judge(status) }
        #expect(failure.wantsFewerRequests == [429, 503].contains(status))
    }

    @Test(
        "DL-7: how long the server asks to wait",
        arguments: [("7", 7), ("Fri, 15 Jan 2027 08:00:30 GMT", 30), ("soon", nil)] as [(String, TimeInterval?)])
    func retryAfter(value: String, seconds: TimeInterval?) throws {
        let failure = try #require(throws: RetryableFailure.self) { try judge(503, ["Retry-After": value]) }
        #expect(failure.retryAfter == seconds)
    }
}

@Suite("RemoteValidator")
struct RemoteValidatorTests {
    @Test(
        "DL-6, D05: only a strong tag, or a date where there is no tag, may join parts",
        arguments: [
            ("\"v1\"", nil, "\"v1\""), ("W/\"v1\"", nil, nil), (nil, "date", "date"), ("W/\"v1\"", "date", nil),
            ("\"v1\"", "date", "\"v1\""), (nil, nil, nil), ("", "", nil), ("\"a\r\nX: b\"", nil, nil),
        ] as [(String?, String?, String?)])
    func ifRange(etag: String?, date: String?, expected: String?) {
        #expect(RemoteValidator(etag: etag, lastModified: date).ifRange == expected)
    }

    @Test(
        "two descriptions of one version",
        arguments: [
            (("\"a\"", nil), ("\"a\"", nil), true), (("\"a\"", nil), ("\"b\"", nil), false),
            (("\"a\"", nil), ("W/\"a\"", nil), true), (("\"a\"", nil), (nil, "x"), true),
            ((nil, "x"), (nil, "y"), false), ((nil, "x"), (nil, "x"), true), ((nil, nil), ("\"a\"", "x"), true),
            (("\"a\"", "x"), ("\"a\"", "y"), true),
        ] as [((String?, String?), (String?, String?), Bool)])
    func agreement(first: (String?, String?), second: (String?, String?), expected: Bool) {
        let one = RemoteValidator(etag: first.0, lastModified: first.1)
        let other = RemoteValidator(etag: second.0, lastModified: second.1)
        #expect(one.agrees(with: other) == expected)
        #expect(other.agrees(with: one) == expected)
    }
}

@Suite("ResumeDecision")
struct ResumeDecisionTests {
    private func decide(
        size: Int64, total: Int64, chunks: [Int64]? = nil, etag: String? = "\"v1\"", expected: Int64? = nil
    ) -> ResumeDecision {
        var sidecar = DownloadSidecar(url: DownloadRig.url)
        sidecar.totalBytes = total
        sidecar.etag = etag
        sidecar.chunkSize = 10
        sidecar.doneChunks = chunks
        return ResumeDecision(sidecar, dataSize: size, expectedBytes: expected)
    }

    @Test("DL-6, D01, D05: by what is on disk")
    func stream() {
        #expect(decide(size: 5, total: 10) == .stream(have: 5))
        #expect(decide(size: 5, total: 0) == .stream(have: 5))
        #expect(decide(size: 10, total: 10) == .stream(have: 10))
        #expect(decide(size: 10, total: 10, etag: nil) == .stream(have: 10))
        #expect(decide(size: 12, total: 10) == .startOver)
        #expect(decide(size: 0, total: 10) == .startOver)
        for etag in [nil, "W/\"v1\""] { #expect(decide(size: 5, total: 10, etag: etag) == .startOver) }
        #expect(decide(size: 5, total: 10, expected: 11) == .startOver)
    }

    @Test("chunks beyond the end of the data are not there")
    func chunks() {
        #expect(
            decide(size: 25, total: 25, chunks: [0, 2])
                == .chunks(ChunkPlan(totalBytes: 25, chunkSize: 10, done: [0, 2])))
        #expect(
            decide(size: 20, total: 25, chunks: [0, 2]) == .chunks(ChunkPlan(totalBytes: 25, chunkSize: 10, done: [0])))
        #expect(decide(size: 25, total: 25, chunks: []) == .startOver)
        #expect(decide(size: 25, total: 25, chunks: [0], etag: nil) == .startOver)
        #expect(
            decide(size: 25, total: 25, chunks: [0, 1, 2], etag: nil)
                == .chunks(ChunkPlan(totalBytes: 25, chunkSize: 10, done: [0, 1, 2])))
    }
}
