import CarbocationLocalLLM
import Foundation

/// A model that is ready to generate: weights, context and the thread that drives it.
final class LoadedModel: Sendable {
    /// The files it was loaded from.
    let files: [FileIdentity]
    /// The adapters it computes with, in order.
    let adapters: [AdapterIdentity]
    let info: LlamaLoadedModelInfo
    let report: LlamaLoadReport
    let renderer: PromptRenderer
    let loop: InferenceLoop
    let embedder: TextEmbedder
    let speculation: SpeculationSupport
    /// The end of its memory, which takes the end of all jobs and of all references to this model.
    let release: ModelRelease
    /// Used by the thread of `loop` only.
    private let context: NativeContext
    /// Threads that the context was created with.
    private let initialThreads: Int

    init(
        files: [FileIdentity], adapters: [AdapterIdentity], info: LlamaLoadedModelInfo, report: LlamaLoadReport,
        renderer: PromptRenderer, context: NativeContext, speculation: SpeculationSupport,
        sequences: Int, threads: Int, governed: GovernedThreads?, embedder: TextEmbedder
    ) {
        self.files = files
        self.adapters = adapters
        self.embedder = embedder
        self.info = info
        self.report = report
        self.renderer = renderer
        self.context = context
        self.speculation = speculation
        initialThreads = threads
        let loop = InferenceLoop(
            context: context, maximumSequences: sequences, threads: governed, speculation: speculation.speculation)
        self.loop = loop
        let draftContext = speculation.draftContext
        release = ModelRelease(
            contexts: [loop.ended, context.freed, embedder.released] + [draftContext?.freed].compactMap(\.self),
            models: [renderer.model] + [draftContext?.model].compactMap(\.self))
    }

    deinit {
        embedder.release()
        loop.stop()
    }

    var model: NativeModel { renderer.model }

    /// The threads that batches are computed with now.
    var threadChoice: ThreadChoice {
        loop.threadChoice ?? ThreadChoice(decode: initialThreads, prefill: initialThreads)
    }

    /// False once llama.cpp failed while computing or a server was lost: only another load helps.
    var isUsable: Bool { !context.hasFailed && !model.hasLostServer }

    /// The scheduler's view of a prepared generation.
    func job(for generation: PreparedGeneration, id: GenerationJob.ID, output: GenerationRun) -> GenerationJob {
        GenerationJob(
            id: id, prompt: generation.tokens, outputLimit: generation.outputLimit,
            limitReason: generation.limitReason,
            sample: { [context, sampler = generation.sampler, logprobs = generation.logprobs] row in
                let token = try sampler.sample(from: context, row: row)
                if let logprobs { output.note(try context.logprobs(row: row, chosen: token, count: logprobs)) }
                return token
            },
            endsGeneration: { [model, endTokens = generation.endTokens] token in
                model.endsGeneration(token) || endTokens.contains(token)
            },
            output: output, isSpeculative: generation.speculation.status == .active)
    }
}
