import Foundation

/// A value that a model generated.
@available(macOS 26.0, iOS 26.0, *)
public struct GeneratedContent: Sendable, Equatable, Generable, PromptRepresentable {
    /// The value as JSON.
    public let jsonString: String

    /// The same content.
    public init(_ content: GeneratedContent) {
        self = content
    }

    /// A text.
    public init(_ text: String) {
        let list = try? JSONEncoder().encode([text])
        jsonString = String(decoding: (list ?? Data("[\"\"]".utf8)).dropFirst().dropLast(), as: UTF8.self)
    }

    /// The value of JSON.
    public init(json: String) throws {
        _ = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        jsonString = json
    }

    /// The content as a prompt.
    public var promptRepresentation: Prompt { Prompt(text: jsonString) }

    /// A text without its quotes, or else the JSON.
    var text: String {
        (try? JSONDecoder().decode([String].self, from: Data("[\(jsonString)]".utf8)))?.first ?? jsonString
    }
}
