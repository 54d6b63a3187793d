import Foundation

/// Times as they stand in `metadata.json`: `2026-03-01T12:00:00Z`.
///
/// Foundation's formatters take many times as long, which a library of thousands of models feels.
enum ISO8601Time {
    /// The time of a text in UTC, without a fraction of a second; nil for anything else.
    static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), hasMarks(bytes), hasFraction(bytes[19...]),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        let days = dayNumber(year: year, month: month, day: day)
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
    }

    /// The text of a time, cut to the whole second below.
    static func text(_ date: Date) -> String {
        // Years 1 to 9999 are what the format has digits for.
        let seconds = Int(min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799).rounded(.down))
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (day, second) = rest < 0 ? (days - 1, rest + 86_400) : (days, rest)
        let (year, month, dayOfMonth) = civil(dayNumber: day)
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
            + "T\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
    }

    /// The date without what `text` leaves out.
    static func wholeSeconds(_ date: Date) -> Date {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    private static func hasMarks(_ bytes: [UInt8]) -> Bool {
        bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-") && bytes[10] == UInt8(ascii: "T")
            && bytes[13] == UInt8(ascii: ":") && bytes[16] == UInt8(ascii: ":")
    }

    private static func hasFraction(_ rest: ArraySlice<UInt8>) -> Bool {
        if rest.count == 1 { return true }
        let digits = rest.dropFirst().dropLast()
        return rest.first == UInt8(ascii: ".") && !digits.isEmpty && digits.allSatisfy { digit($0) != nil }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for byte in digits {
            guard let digit = digit(byte) else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    private static func digit(_ byte: UInt8) -> Int? {
        let value = Int(byte) - Int(UInt8(ascii: "0"))
        return (0...9).contains(value) ? value : nil
    }

    // Days since 1970 in the proleptic Gregorian calendar, counted in eras of 400 years that begin in March.

    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(dayNumber: Int) -> (year: Int, month: Int, day: Int) {
        let day = dayNumber + 719_468
        let era = (day >= 0 ? day : day - 146_096) / 146_097
        let dayOfEra = day - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }
}
