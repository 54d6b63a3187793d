import CarbocationLocalLLM

/// Makes the measurements of a plan.
struct Benchmark {
    let plan: BenchPlan
    let engine: any LLMEngine
    let context: CommandContext

    /// One sample for each repetition, after a short run that is not counted.
    func samples() async throws -> [BenchSample] {
        try checkFit(promptTokens: plan.promptTokens, contextSize: await engine.currentContextSize())
        try await warmUp()
        var samples: [BenchSample] = []
        for number in 1...plan.repetitions {
            let request = try await request(number)
            let status = "Measuring \(number) of \(plan.repetitions) …"
            samples.append(try await context.showing(status) { try await sample(of: request) })
        }
        return samples
    }

    /// Reads the weights from disk and starts threads outside of the measurements.
    private func warmUp() async throws {
        let prompt = BenchPrompt(variant: 0, words: 0).text
        _ = try await sample(of: LLMGenerationRequest(prompt: prompt, options: options(limit: 4)))
    }

    private func sample(of request: LLMGenerationRequest) async throws -> BenchSample {
        var meter = GenerationMeter(start: .zero)
        let reader = GenerationReader(engine: engine, now: context.environment.now)
        let result = try await reader.run(request, meter: &meter)
        return BenchSample(meter: meter, result: result)
    }

    /// The shortest prompt with the planned number of tokens, checked to leave room for the output.
    private func request(_ number: Int) async throws -> LLMGenerationRequest {
        var low = 0
        // Every word brings at least one token.
        var high = plan.promptTokens
        while low < high {
            let middle = (low + high) / 2
            if try await preflight(number, words: middle).promptTokens < plan.promptTokens {
                low = middle + 1
            } else {
                high = middle
            }
        }
        let preflight = try await preflight(number, words: low)
        try checkFit(promptTokens: preflight.promptTokens, contextSize: preflight.loadedContextSize)
        return request(number, words: low)
    }

    private func checkFit(promptTokens: Int, contextSize: Int) throws {
        guard promptTokens + plan.generateTokens > contextSize else { return }
        throw CommandFailure(
            .contextTooSmall,
            "The context of \(contextSize) tokens does not hold \(promptTokens) tokens of prompt and "
                + "\(plan.generateTokens) of output: measure fewer, or pass a larger --context if the model allows it.")
    }

    private func preflight(_ number: Int, words: Int) async throws -> LLMGenerationPreflight {
        try Task.checkCancellation()
        return try await engine.preflight(request(number, words: words))
    }

    private func request(_ number: Int, words: Int) -> LLMGenerationRequest {
        let prompt = BenchPrompt(variant: number, words: words).text
        return LLMGenerationRequest(prompt: prompt, options: options(limit: plan.generateTokens))
    }

    private func options(limit: Int) -> GenerationOptions {
        GenerationOptions(temperature: 0, maxOutputTokens: limit)
    }
}
