public import Foundation

/// Why a reply could not be generated, as later versions of the framework say it to apps built with them.
@available(macOS 27.0, iOS 27.0, *)
public enum LanguageModelError: Error, LocalizedError {
    /// What did not fit.
    public struct ContextSizeExceeded: Sendable {
        /// The context in tokens.
        public let contextSize: Int

        /// Creates a value.
        public init(contextSize: Int) {
            self.contextSize = contextSize
        }
    }

    /// The context is full.
    case contextSizeExceeded(ContextSizeExceeded)
    /// It took too long.
    case timeout

    /// A sentence for people.
    public var errorDescription: String? { "The model failed" }
}
