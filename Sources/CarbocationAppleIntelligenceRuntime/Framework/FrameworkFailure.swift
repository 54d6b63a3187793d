#if canImport(FoundationModels) && (canImport(Darwin) || APPLE_SDK_STUBS)
    import CarbocationLocalLLM
    import Foundation
    import FoundationModels

    /// Tells callers what the framework's errors mean.
    @available(macOS 26.0, iOS 26.0, *)
    enum FrameworkFailure {
        /// The error as the package throws it.
        ///
        /// Cancellation and the package's own errors stay as they are, also when they come out of a tool.
        static func failure(_ error: any Error) -> any Error {
            switch error {
            case is CancellationError, is SystemModelFailure, is AppleIntelligenceError, is LLMEngineError,
                is LLMToolError, is LLMSessionError:
                return error
            case let error as LanguageModelSession.ToolCallError: return failure(of: error)
            case let error as LanguageModelSession.GenerationError: return failure(error)
            default:
                if isContextOverflow(error) { return SystemModelFailure.contextOverflow }
                return AppleIntelligenceError.generationFailed(
                    "Apple Intelligence failed: \(description(of: error)).")
            }
        }

        /// Whether an error says that the context is full, as later versions of the framework do.
        ///
        /// Apps that were built with those get `LanguageModelError.contextSizeExceeded`. It is known by its name, so
        /// that earlier versions of the framework can be built with as well.
        private static func isContextOverflow(_ error: any Error) -> Bool {
            guard String(reflecting: type(of: error)).contains("LanguageModelError") else { return false }
            let name = "contextSizeExceeded"
            return Mirror(reflecting: error).children.first?.label == name
                || String(describing: error).hasPrefix(name)
        }

        /// An error of unknown kind, with what tells it from others.
        static func description(of error: any Error) -> String {
            let bridged = error as NSError
            let text = (error as? any LocalizedError)?.errorDescription ?? ""
            let code = "\(String(reflecting: type(of: error))), \(bridged.domain) \(bridged.code)"
            return text.isEmpty ? code : "\(text) (\(code))"
        }

        private static func failure(of error: LanguageModelSession.ToolCallError) -> any Error {
            let inner = failure(error.underlyingError)
            guard case .generationFailed(let text) = inner as? AppleIntelligenceError else { return inner }
            return AppleIntelligenceError.generationFailed("The tool \(error.tool.name) could not be called. \(text)")
        }

        private static func failure(_ error: LanguageModelSession.GenerationError) -> any Error {
            let reason: String
            let context: LanguageModelSession.GenerationError.Context
            switch error {
            case .exceededContextWindowSize: return SystemModelFailure.contextOverflow
            case .assetsUnavailable(let details):
                (reason, context) = ("The model of Apple Intelligence is not available", details)
            case .guardrailViolation(let details):
                (reason, context) = ("Apple Intelligence blocked the prompt or the answer as unsafe", details)
            case .unsupportedGuide(let details):
                (reason, context) = ("Apple Intelligence does not support the schema of the answer", details)
            case .unsupportedLanguageOrLocale(let details):
                (reason, context) = ("Apple Intelligence does not support the language of the prompt", details)
            case .decodingFailure(let details):
                (reason, context) = ("The answer of Apple Intelligence does not follow its schema", details)
            case .rateLimited(let details):
                (reason, context) = ("Apple Intelligence was asked too often, try again later", details)
            case .concurrentRequests(let details):
                (reason, context) = ("Apple Intelligence is still answering another request", details)
            case .refusal(_, let details):
                (reason, context) = ("Apple Intelligence refused to answer", details)
            default:
                return AppleIntelligenceError.generationFailed(
                    "Apple Intelligence failed: \(description(of: error)).")
            }
            let details = context.debugDescription.trimmingCharacters(in: .whitespacesAndNewlines)
            return AppleIntelligenceError.generationFailed(details.isEmpty ? "\(reason)." : "\(reason): \(details)")
        }
    }
#endif
