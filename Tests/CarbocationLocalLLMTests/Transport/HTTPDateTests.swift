import CarbocationLocalLLM
import Foundation
import Testing

@Suite("HTTPDate and RetryAfter")
struct HTTPDateTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)  // 2023-11-14T22:13:20Z

    @Test(
        "the three forms of one date",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 06 nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
        ])
    func forms(text: String) {
        #expect(HTTPDate.parse(text, now: Self.now) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(
        "dates at the edges of months, years and centuries",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Mon, 31 Dec 2035 23:59:60 GMT", 2_082_758_400),
            ("Wed, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
        ])
    func edges(text: String, seconds: Double) {
        #expect(HTTPDate.parse(text, now: Self.now) == Date(timeIntervalSince1970: seconds))
    }

    @Test("agrees with the calendar on every day of four centuries' samples")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        for day in stride(from: -25_000, to: 60_000, by: 97) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3661)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let (year, month) = (try #require(parts.year), try #require(parts.month))
            let number = String(format: "%02d", try #require(parts.day))
            #expect(HTTPDate.parse("Xxx, \(number) \(names[month - 1]) \(year) 01:01:01 GMT") == date)
        }
    }

    @Test(
        "a year with two digits is at most 50 years ahead",
        arguments: [("73", 2073), ("74", 1974), ("23", 2023), ("00", 2000)])
    func century(short: String, year: Int) {
        let date = HTTPDate.parse("Sunday, 01-Jan-\(short) 00:00:00 GMT", now: Self.now)
        #expect(date == HTTPDate.parse("Xxx, 01 Jan \(year) 00:00:00 GMT"))
        #expect(date != nil)
    }

    @Test(
        "what is no date",
        arguments: [
            "", "tomorrow", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 EST", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 29 Feb 2023 00:00:00 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
        ])
    func invalid(text: String) {
        #expect(HTTPDate.parse(text, now: Self.now) == nil)
    }

    @Test(
        "DL-7: Retry-After in seconds or as a date",
        arguments: [
            ("0", 0.0), ("120", 120), (" 5 ", 5), ("Tue, 14 Nov 2023 22:13:50 GMT", 30),
            ("Tue, 14 Nov 2023 22:13:00 GMT", 0), ("99999999999999999999", 1e20),
        ])
    func retryAfter(value: String, seconds: Double) {
        #expect(RetryAfter.seconds(in: value, now: Self.now) == seconds)
    }

    @Test("DL-7: other values of Retry-After are none", arguments: ["", "-1", "1.5", "soon", "1e3", "+3", "٣"])
    func noRetryAfter(value: String) {
        #expect(RetryAfter.seconds(in: value, now: Self.now) == nil)
    }
}
