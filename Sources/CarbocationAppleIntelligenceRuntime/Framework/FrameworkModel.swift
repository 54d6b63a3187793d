#if canImport(FoundationModels) && (canImport(Darwin) || APPLE_SDK_STUBS)
    import CarbocationLocalLLM
    import FoundationModels

    /// The system's language model by way of its framework.
    @available(macOS 26.0, iOS 26.0, *)
    struct FrameworkModel: SystemModel {
        /// The context of all models so far, where the system does not tell it.
        private static let usualContextSize = 4096

        private var model: SystemLanguageModel { .default }

        /// Whether the model can be used now.
        var availability: AppleIntelligenceAvailability {
            switch model.availability {
            case .available: .available(contextSize: contextSize)
            case .unavailable(let reason): .unavailable(Self.reason(reason))
            }
        }

        var contextSize: Int {
            #if compiler(>=6.3)
                let size = model.contextSize
                return size > 0 ? size : Self.usualContextSize
            #else
                return Self.usualContextSize
            #endif
        }

        func tokenCount(of prompt: SystemPrompt, schema: SchemaPlan?) async -> Int? {
            #if compiler(>=6.3)
                guard #available(macOS 26.4, iOS 26.4, *) else { return nil }
                guard let transcript = try? FrameworkTranscript.transcript(of: prompt, asksPrompt: true),
                    let promptTokens = try? await model.tokenCount(for: transcript)
                else { return nil }
                guard let schema else { return promptTokens }
                guard let schema = try? FrameworkSchema.schema(schema),
                    let schemaTokens = try? await model.tokenCount(for: schema)
                else { return nil }
                return promptTokens + schemaTokens
            #else
                return nil
            #endif
        }

        func conversation(_ prompt: SystemPrompt, tools: [SystemTool]) throws -> any SystemConversation {
            let tools: [any FoundationModels.Tool] = try tools.map(FrameworkTool.init)
            guard prompt.history.isEmpty else {
                let transcript = try FrameworkTranscript.transcript(of: prompt, asksPrompt: false)
                return FrameworkConversation(LanguageModelSession(model: model, tools: tools, transcript: transcript))
            }
            let instructions = prompt.instructions.isEmpty ? nil : prompt.instructions
            return FrameworkConversation(LanguageModelSession(model: model, tools: tools, instructions: instructions))
        }

        private static func reason(
            _ reason: SystemLanguageModel.Availability.UnavailableReason
        ) -> AppleIntelligenceUnavailableReason {
            switch reason {
            case .deviceNotEligible: .deviceNotEligible
            case .appleIntelligenceNotEnabled: .appleIntelligenceNotEnabled
            case .modelNotReady: .modelNotReady
            // Later systems know more reasons.
            default: .unknown
            }
        }
    }
#endif
