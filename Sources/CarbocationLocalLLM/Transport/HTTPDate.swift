package import Foundation

/// Dates as HTTP headers have them.
package enum HTTPDate {
    /// Reads any of the three forms that HTTP allows; nil for anything else.
    ///
    /// - Parameters:
    ///   - text: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    ///   - now: Decides the century of a year with two digits: the latest that is not more than 50 years ahead.
    /// - Returns: The date, or nil.
    package static func parse(_ text: String, now: Date = Date()) -> Date? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," }).map(String.init)
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT
        case 6 where isUniversal(words[5]):
            return date(year: number(words[3], digits: 4), month: words[2], day: words[1], time: words[4])
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 4 where isUniversal(words[3]):
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let short = number(parts[2], digits: 2) else { return nil }
            return date(year: fullYear(short, now: now), month: parts[1], day: parts[0], time: words[2])
        // Sun Nov  6 08:49:37 1994
        case 5:
            return date(year: number(words[4], digits: 4), month: words[1], day: words[2], time: words[3])
        default: return nil
        }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func isUniversal(_ zone: String) -> Bool {
        zone == "GMT" || zone == "UTC"
    }

    private static func fullYear(_ short: Int, now: Date) -> Int {
        let current = civilYear(daysSince1970: Int((now.timeIntervalSince1970 / 86_400).rounded(.down)))
        let year = current - current % 100 + short
        return year > current + 50 ? year - 100 : year
    }

    private static func date(year: Int?, month: String, day: String, time: String) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2) }
        guard let year, let month = months.firstIndex(of: month.lowercased()), let day = number(day, digits: 1...2),
            (1...daysInMonth(month + 1, year)).contains(day), clock.count == 3,
            let hour = clock[0], hour < 24, let minute = clock[1], minute < 60, let second = clock[2], second <= 60
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
    }

    private static func number(_ text: String, digits: Int) -> Int? {
        number(text, digits: digits...digits)
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days of the Gregorian calendar, counted in years that begin in March, so that the leap day comes last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    private static func civilYear(daysSince1970 days: Int) -> Int {
        var year = 1970 + days / 366
        while daysSince1970(year: year + 1, month: 1, day: 1) <= days { year += 1 }
        return year
    }
}
