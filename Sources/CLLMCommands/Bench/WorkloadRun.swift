import CarbocationLocalLLM

/// Holds the conversations of a workload.
struct WorkloadRun {
    let engine: any LLMEngine
    let now: @Sendable () -> Duration

    /// Measures every turn.
    ///
    /// - Returns: For each conversation its turns, and the time from the first request to the last answer.
    func measure(_ workload: Workload) async throws -> (samples: [[BenchSample]], duration: Duration) {
        try await warmUp()
        let start = now()
        let samples = try await withThrowingTaskGroup(of: (Int, [BenchSample]).self) { group in
            for (index, conversation) in workload.conversations.enumerated() {
                group.addTask { [self] in (index, try await hold(conversation)) }
            }
            var samples: [[BenchSample]] = Array(repeating: [], count: workload.conversations.count)
            for try await (index, turns) in group { samples[index] = turns }
            return samples
        }
        return (samples, now() - start)
    }

    /// Reads the weights from disk and starts threads outside of the measurements.
    private func warmUp() async throws {
        let turn = Workload.Turn(prompt: "Hello", maximumTokens: 4)
        _ = try await hold(Workload.Conversation(system: "", turns: [turn]))
    }

    private func hold(_ conversation: Workload.Conversation) async throws -> [BenchSample] {
        var messages: [LLMChatMessage] = []
        if !conversation.system.isEmpty { messages.append(LLMChatMessage(role: .system, content: conversation.system)) }
        var samples: [BenchSample] = []
        for turn in conversation.turns {
            messages.append(LLMChatMessage(role: .user, content: turn.prompt))
            let options = GenerationOptions(
                temperature: 0, maxOutputTokens: turn.maximumTokens, jsonSchema: turn.jsonSchema)
            var meter = GenerationMeter(start: .zero)
            let reader = GenerationReader(engine: engine, now: now)
            let request = LLMGenerationRequest(messages: messages, options: options)
            let result = try await reader.run(request, meter: &meter)
            samples.append(BenchSample(meter: meter, result: result))
            messages.append(result.assistantMessage)
        }
        return samples
    }
}
