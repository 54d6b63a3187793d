import Foundation

extension CommandEnvironment {
    /// The environment of the running process, with llama.cpp as its runtime.
    package static func process(interruptions: AsyncStream<Interruption>) -> CommandEnvironment {
        let start = ContinuousClock.now
        let variables = ProcessInfo.processInfo.environment
        return CommandEnvironment(
            variables: variables,
            input: DescriptorReader(descriptor: 0),
            output: DescriptorWriter(descriptor: 1),
            errors: DescriptorWriter(descriptor: 2),
            terminal: ProcessTerminal.current(variables: variables),
            interruptions: interruptions,
            rearmInterruptions: ProcessSignals.rearm,
            runtime: LlamaModelRuntime(),
            now: { start.duration(to: .now) },
            peakMemory: ProcessMemory.peakBytes)
    }
}
