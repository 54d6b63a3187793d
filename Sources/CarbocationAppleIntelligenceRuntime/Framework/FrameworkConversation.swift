#if canImport(FoundationModels) && (canImport(Darwin) || APPLE_SDK_STUBS)
    import CarbocationLocalLLM
    import FoundationModels

    /// A session of the framework.
    @available(macOS 26.0, iOS 26.0, *)
    struct FrameworkConversation: SystemConversation {
        private let session: LanguageModelSession
        /// Entries of the history.
        private let earlierEntries: Int

        init(_ session: LanguageModelSession) {
            self.session = session
            earlierEntries = session.transcript.count
        }

        var toolProgress: SystemToolProgress {
            session.transcript.dropFirst(earlierEntries).reduce(into: SystemToolProgress()) { progress, entry in
                switch entry {
                case .toolCalls(let calls): progress.rounds.append(calls.count)
                case .toolOutput: progress.outputs += 1
                default: break
                }
            }
        }

        func reply(
            to prompt: String, options: AppleIntelligenceOptions, schema: SchemaPlan?,
            onText: @escaping @Sendable (String) -> Bool
        ) async throws {
            do {
                let options = FoundationModels.GenerationOptions(options)
                if let schema {
                    try await object(
                        answering: prompt, schema: try FrameworkSchema.schema(schema), options: options, onText: onText)
                } else {
                    try await text(answering: prompt, options: options, onText: onText)
                }
            } catch {
                throw FrameworkFailure.failure(error)
            }
        }

        private func text(
            answering prompt: String, options: FoundationModels.GenerationOptions, onText: (String) -> Bool
        ) async throws {
            for try await snapshot in session.streamResponse(to: prompt, options: options) {
                try Task.checkCancellation()
                guard onText(snapshot.content) else { return }
            }
            // A stream may end without an error when its reader is cancelled.
            try Task.checkCancellation()
        }

        /// Objects grow by members and not by text, so only the last one is text.
        private func object(
            answering prompt: String, schema: GenerationSchema, options: FoundationModels.GenerationOptions,
            onText: (String) -> Bool
        ) async throws {
            var last: GeneratedContent?
            for try await snapshot in session.streamResponse(to: prompt, schema: schema, options: options) {
                try Task.checkCancellation()
                last = snapshot.rawContent
            }
            try Task.checkCancellation()
            if let last { _ = onText(last.jsonString) }
        }
    }

    @available(macOS 26.0, iOS 26.0, *)
    extension FoundationModels.GenerationOptions {
        /// The options of the framework.
        fileprivate init(_ options: AppleIntelligenceOptions) {
            let sampling: SamplingMode? =
                switch options.sampling {
                case .systemDefault: nil
                case .greedy: .greedy
                case .top(let count, let seed): .random(top: count, seed: seed)
                case .threshold(let threshold, let seed): .random(probabilityThreshold: threshold, seed: seed)
                }
            self.init(
                sampling: sampling, temperature: options.temperature,
                maximumResponseTokens: options.maximumResponseTokens)
        }
    }
#endif
