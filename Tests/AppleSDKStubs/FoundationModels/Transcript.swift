import Foundation

/// What was said in a session.
@available(macOS 26.0, iOS 26.0, *)
public struct Transcript: Sendable, Equatable, RandomAccessCollection {
    /// Something that was said.
    public enum Entry: Sendable, Equatable {
        /// What the model is told about its task.
        case instructions(Instructions)
        /// What the model was asked.
        case prompt(Prompt)
        /// Tools that it called at the same time.
        case toolCalls(ToolCalls)
        /// What a tool answered.
        case toolOutput(ToolOutput)
        /// What the model answered.
        case response(Response)
        /// Stands for what later systems add.
        case later
    }

    /// A part of an entry.
    public enum Segment: Sendable, Equatable {
        /// Text.
        case text(TextSegment)
        /// Stands for what callers do not write.
        case later
    }

    /// Text.
    public struct TextSegment: Sendable, Equatable {
        /// The text.
        public var content: String

        /// Creates a segment; ids are left out.
        public init(content: String) {
            self.content = content
        }
    }

    /// What the model is told about its task, and its tools.
    public struct Instructions: Sendable, Equatable {
        /// The text.
        public var segments: [Segment]
        /// The tools.
        public var toolDefinitions: [ToolDefinition]

        /// Creates instructions.
        public init(segments: [Segment], toolDefinitions: [ToolDefinition]) {
            self.segments = segments
            self.toolDefinitions = toolDefinitions
        }
    }

    /// A tool as the model is told about it.
    public struct ToolDefinition: Sendable, Equatable {
        /// The name.
        public var name: String
        /// What it does.
        public var description: String
        let parameters: String

        /// Creates a definition.
        public init(name: String, description: String, parameters: GenerationSchema) {
            self.name = name
            self.description = description
            self.parameters = parameters.debugDescription
        }
    }

    /// What the model was asked.
    public struct Prompt: Sendable, Equatable {
        /// The text.
        public var segments: [Segment]

        /// Creates a prompt.
        public init(segments: [Segment]) {
            self.segments = segments
        }
    }

    /// Tools that the model called at the same time.
    public struct ToolCalls: Sendable, Equatable, RandomAccessCollection {
        let calls: [ToolCall]

        /// 0.
        public var startIndex: Int { 0 }

        /// The number of calls.
        public var endIndex: Int { calls.count }

        /// A call.
        public subscript(position: Int) -> ToolCall { calls[position] }

        /// Creates calls.
        public init<S>(_ calls: S) where S: Sequence, S.Element == ToolCall {
            self.calls = Array(calls)
        }
    }

    /// A call of a tool.
    public struct ToolCall: Sendable, Equatable {
        /// The id that the output has too.
        public var id: String
        /// The tool.
        public var toolName: String
        /// The arguments.
        public var arguments: GeneratedContent

        /// Creates a call.
        public init(id: String, toolName: String, arguments: GeneratedContent) {
            self.id = id
            self.toolName = toolName
            self.arguments = arguments
        }
    }

    /// What a tool answered.
    public struct ToolOutput: Sendable, Equatable {
        /// The id of the call.
        public var id: String
        /// The tool.
        public var toolName: String
        /// The text.
        public var segments: [Segment]

        /// Creates an output.
        public init(id: String, toolName: String, segments: [Segment]) {
            self.id = id
            self.toolName = toolName
            self.segments = segments
        }
    }

    /// What the model answered.
    public struct Response: Sendable, Equatable {
        /// The text.
        public var segments: [Segment]

        /// Creates a response.
        public init(assetIDs: [String], segments: [Segment]) {
            self.segments = segments
        }
    }

    var entries: [Entry]

    /// Creates a transcript.
    public init(entries: some Sequence<Entry> = []) {
        self.entries = Array(entries)
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of entries.
    public var endIndex: Int { entries.count }

    /// An entry.
    public subscript(position: Int) -> Entry { entries[position] }

    /// The entries as lines for tests: `prompt: Hello`.
    package var lines: [String] { entries.map(\.line) }
}

@available(macOS 26.0, iOS 26.0, *)
extension Transcript.Entry {
    fileprivate var line: String {
        switch self {
        case .instructions(let entry):
            "instructions: \(Self.text(entry.segments))"
                + entry.toolDefinitions.map { " <\($0.name) \($0.parameters)>" }.joined()
        case .prompt(let entry): "prompt: \(Self.text(entry.segments))"
        case .toolCalls(let entry):
            "calls: " + entry.calls.map { "\($0.id) \($0.toolName) \($0.arguments.jsonString)" }.joined(separator: "; ")
        case .toolOutput(let entry): "output: \(entry.id) \(entry.toolName) \(Self.text(entry.segments))"
        case .response(let entry): "response: \(Self.text(entry.segments))"
        case .later: "later"
        }
    }

    private static func text(_ segments: [Transcript.Segment]) -> String {
        segments.reduce(into: "") { text, segment in
            if case .text(let part) = segment { text += part.content }
        }
    }
}
