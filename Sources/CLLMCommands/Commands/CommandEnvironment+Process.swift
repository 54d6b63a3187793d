import Foundation

extension CommandEnvironment {
    /// The environment of the running process, with llama.cpp as its runtime.
    package static func process(interruptions: AsyncStream<Interruption>) -> CommandEnvironment {
        let start = ContinuousClock.now
        return CommandEnvironment(
            variables: ProcessInfo.processInfo.environment,
            input: DescriptorReader(descriptor: 0),
            output: DescriptorWriter(descriptor: 1),
            errors: DescriptorWriter(descriptor: 2),
            interruptions: interruptions,
            runtime: LlamaModelRuntime(),
            now: { start.duration(to: .now) },
            peakMemory: ProcessMemory.peakBytes)
    }
}
