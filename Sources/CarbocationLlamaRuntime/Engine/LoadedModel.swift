import CarbocationLocalLLM
import Foundation

/// A model that is ready to generate: weights, context and the thread that drives it.
final class LoadedModel: Sendable {
    /// What must be equal for a load to be answered by what is loaded already.
    struct Key: Hashable, Sendable {
        var file: FileIdentity
        var modelID: UUID?
        var requestedContext: Int
        var contextSize: Int
    }

    let key: Key
    let info: LlamaLoadedModelInfo
    let renderer: PromptRenderer
    let loop: InferenceLoop
    /// Used by the thread of `loop` only.
    private let context: NativeContext

    init(key: Key, info: LlamaLoadedModelInfo, renderer: PromptRenderer, context: NativeContext, sequences: Int) {
        self.key = key
        self.info = info
        self.renderer = renderer
        self.context = context
        loop = InferenceLoop(context: context, maximumSequences: sequences)
    }

    deinit {
        loop.stop()
    }

    /// Set once the context and, unless others use them, the weights are freed.
    ///
    /// That takes the end of all jobs and of all references to this model.
    var released: OneShot<Void> { loop.ended }

    var model: NativeModel { renderer.model }

    /// The scheduler's view of a prepared generation.
    func job(for generation: PreparedGeneration, id: GenerationJob.ID, output: any TokenOutput) -> GenerationJob {
        GenerationJob(
            id: id, prompt: generation.tokens, outputLimit: generation.outputLimit,
            limitReason: generation.limitReason,
            sample: { [context, sampler = generation.sampler] row in try sampler.sample(from: context, row: row) },
            endsGeneration: { [model] token in model.endsGeneration(token) },
            output: output)
    }
}
