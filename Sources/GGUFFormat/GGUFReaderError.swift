public import Foundation

/// Why a GGUF file could not be read or was refused.
///
/// Descriptions are sentences for the person at the screen, each with a remedy. Names taken from a file are shortened
/// and cleaned before they enter a message.
public enum GGUFReaderError: Error, LocalizedError, Sendable, Equatable {
    /// The file could not be opened or read; the text says why.
    case unreadable(String)

    /// The file does not begin with the GGUF mark.
    case notGGUF

    /// The file has a format version other than 2 and 3.
    case unsupportedVersion(UInt32)

    /// The file ends where more bytes were announced; `offset` is where they should have begun.
    case truncated(offset: UInt64)

    /// A number in the file announces more than the whole file can hold.
    case hostileCount(field: String, value: UInt64)

    /// A value has a type number that the format does not define.
    case invalidValueType(UInt32)

    /// Arrays stand inside arrays more than four levels deep.
    case nestingTooDeep

    /// The file breaks a rule of the format; the text is a sentence that names the rule and the place.
    case malformed(String)

    /// A sentence that says what is wrong with the file and what helps.
    public var errorDescription: String? { "\(problem) \(remedy)" }

    /// What the user can do about it.
    public var recoverySuggestion: String? { remedy }

    private var problem: String {
        switch self {
        case .unreadable(let reason):
            "The model file cannot be read: \(reason)"
        case .notGGUF:
            "This is not a GGUF model file."
        case .unsupportedVersion(let version):
            "This GGUF file has format version \(version); only versions 2 and 3 are supported."
        case .truncated(let offset):
            "The model file ends too early: data is missing from byte \(offset) on."
        case .hostileCount(let field, let value):
            "The model file is damaged: its \(field) of \(value) is more than the file can hold."
        case .invalidValueType(let type):
            "The model file is damaged: it uses the unknown value type \(type)."
        case .nestingTooDeep:
            "The model file is damaged: it nests arrays more than four levels deep."
        case .malformed(let reason):
            "The model file is not valid: \(reason)"
        }
    }

    private var remedy: String {
        switch self {
        case .unreadable:
            "Check that the file exists and that this app may read it."
        case .notGGUF:
            "Choose a file that ends in .gguf and was downloaded completely."
        case .unsupportedVersion:
            "Download a current GGUF version of the model, or convert it again."
        case .truncated, .hostileCount, .invalidValueType, .nestingTooDeep, .malformed:
            "Download the model again, or choose another file."
        }
    }
}
