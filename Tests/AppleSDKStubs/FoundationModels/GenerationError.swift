public import Foundation

@available(macOS 26.0, iOS 26.0, *)
extension LanguageModelSession {
    /// Why a reply could not be generated.
    public enum GenerationError: Error, LocalizedError {
        /// More about an error.
        public struct Context: Sendable {
            /// The text.
            public let debugDescription: String

            /// Creates a context.
            public init(debugDescription: String) {
                self.debugDescription = debugDescription
            }
        }

        /// What a refusal left; its explanation would cost another reply.
        public struct Refusal: Sendable {
            /// Creates a refusal.
            public init(transcriptEntries: [Transcript.Entry]) {}
        }

        /// The context is full.
        case exceededContextWindowSize(Context)
        /// The model is not there.
        case assetsUnavailable(Context)
        /// The prompt or the answer was taken for unsafe.
        case guardrailViolation(Context)
        /// A guide of a schema cannot be used.
        case unsupportedGuide(Context)
        /// The language is not supported.
        case unsupportedLanguageOrLocale(Context)
        /// The answer does not follow its schema.
        case decodingFailure(Context)
        /// There were too many requests.
        case rateLimited(Context)
        /// The session is answering.
        case concurrentRequests(Context)
        /// The model refused.
        case refusal(Refusal, Context)
        /// Stands for what later systems add.
        case later

        /// A sentence for people.
        public var errorDescription: String? { "The session failed" }
    }

    /// A tool failed.
    public struct ToolCallError: Error, LocalizedError {
        /// The tool.
        public var tool: any Tool
        /// Its error.
        public var underlyingError: any Error

        /// Creates an error.
        public init(tool: any Tool, underlyingError: any Error) {
            self.tool = tool
            self.underlyingError = underlyingError
        }

        /// A sentence for people.
        public var errorDescription: String? { "The tool failed" }
    }
}
