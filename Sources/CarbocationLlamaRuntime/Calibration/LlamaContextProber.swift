import CarbocationLocalLLM

/// Measures, makes and frees contexts of one model file as a load with the same configuration would.
///
/// Weights are shared with engines that have them loaded; contexts are its own, so nothing of theirs changes.
actor LlamaContextProber: ContextProbing {
    private let file: ModelFile
    private let configuration: LlamaEngineConfiguration
    private let work: NativeWork
    private let threads: Int
    private var outline: ContextOutline?
    private var model: NativeModel?
    /// Kept over all probes, so that it is loaded once.
    private var draftModel: NativeModel?
    /// What was free on each device before the weights were loaded.
    private var freeBytes: [String: UInt64] = [:]

    init(file: ModelFile, configuration: LlamaEngineConfiguration, work: NativeWork) {
        self.file = file
        self.configuration = configuration
        self.work = work
        let chosen = configuration.threadCount.map(Int.init) ?? UsableCores.current().recommendedThreadCount
        threads = min(max(1, chosen), ContextSettings.largestThreadCount)
    }

    func open() async throws -> Int {
        let outline = try await work.run { [file, configuration, threads] signal in
            try ContextOutline(file: file, configuration: configuration, threads: threads, signal: signal)
        }
        self.outline = outline
        // Smaller than any tier; a model that cannot have it says so when it is tried.
        let devices = try? await measure(ContextTrial(contextSize: LlamaContextPolicy.minimumContext, batchSize: 1))
        for device in devices ?? [] { freeBytes[device.name] = device.freeBytes }
        try await loadWeights()
        return outline.trainingContext
    }

    func measure(_ trial: ContextTrial) async throws -> [DeviceMemory] {
        guard let outline else { throw LLMEngineError.noModelLoaded }
        let devices = try await work.run { signal in
            try signal.check()
            return try outline.memory(for: trial)
        }
        return devices.map { device in
            var device = device
            device.freeBytes = freeBytes[device.name] ?? device.freeBytes
            return device
        }
    }

    func probe(_ trial: ContextTrial) async throws -> ContextProbe {
        guard let model, let outline else { throw LLMEngineError.noModelLoaded }
        let opened = OpenedMemory()
        let drafter = Locked<NativeModel?>(nil)
        let attempt = ContextAttempt(
            trial: trial, configuration: configuration, hasPredictionLayers: outline.hasPredictionLayers,
            threads: threads, opened: opened, noteDraftModel: { model in drafter.withLock { $0 = model } })
        let result = await Result { try await work.run { signal in try attempt.run(with: model, signal: signal) } }
        draftModel = drafter.withLock { $0 } ?? draftModel
        // The next context need not fit beside this one.
        await opened.release.finished()
        return try result.get()
    }

    func reload() async throws {
        await dropWeights()
        try await loadWeights()
    }

    func close() async {
        await dropWeights()
        outline = nil
    }

    private func loadWeights() async throws {
        guard let outline else { throw LLMEngineError.noModelLoaded }
        let opened = OpenedMemory()
        do {
            model = try await work.run { [file, configuration] signal in
                try file.openWeights(outline.facts, configuration: configuration, opened: opened, signal: signal)
            }
        } catch {
            await opened.release.finished()
            throw error
        }
    }

    private func dropWeights() async {
        let release = ModelRelease(contexts: [], models: [model, draftModel].compactMap(\.self))
        model = nil
        draftModel = nil
        await release.finished()
    }
}

extension Result where Failure == any Error {
    /// What `body` returns or throws.
    fileprivate nonisolated(nonsending) init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
