package import CarbocationLlamaRuntime

/// What an engine tells of itself for `--stats`.
package struct EngineFigures: Sendable, Hashable {
    /// What the load asked for and got; nil when the engine does not tell.
    package var load: LlamaLoadReport?
    /// The numbers of threads that the engine chose itself, if it did.
    package var threads: ThreadChoice?
    /// Why not more of the last prompt was cached.
    package var promptReuse: String?

    package init(load: LlamaLoadReport? = nil, threads: ThreadChoice? = nil, promptReuse: String? = nil) {
        self.load = load
        self.threads = threads
        self.promptReuse = promptReuse
    }
}
