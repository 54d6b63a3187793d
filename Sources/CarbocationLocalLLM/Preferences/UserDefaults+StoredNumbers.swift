import Foundation

// Settings views store what the user typed: numbers, or text with a number.

extension UserDefaults {
    /// A finite number, stored as such or as text; nil for everything else.
    func storedNumber(forKey key: String) -> Double? {
        let number: Double? =
            switch object(forKey: key) {
            case let text as String: Self.decimal(text)
            case let number as NSNumber: number.doubleValue
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A whole number, or a number without its fraction, stored as such or as text.
    ///
    /// Nil for everything else, and for what does not fit.
    func storedInteger(forKey key: String) -> Int? {
        // Not by way of `Double`, which is not exact for large numbers.
        let exact: Int? =
            switch object(forKey: key) {
            case let text as String: Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
            case let number as NSNumber: Int(exactly: number)
            default: nil
            }
        return exact ?? storedNumber(forKey: key).flatMap { Int(exactly: $0.rounded(.towardZero)) }
    }

    /// Hexadecimal numbers and names such as `inf` are not what users type.
    private static func decimal(_ text: String) -> Double? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } ? Double(text) : nil
    }
}
