import CarbocationLocalLLM

extension CommandContext {
    /// Shows the progress of a download on a terminal, and tells what is kept when the download ends early.
    func downloading<Value>(
        _ name: String, _ body: (@escaping @Sendable (DownloadProgress) -> Void) async throws -> Value
    ) async throws -> Value {
        let bar: ProgressBar? = environment.errors.isTerminal && !isQuiet ? progressBar(named: name) : nil
        defer { bar?.remove() }
        do {
            return try await body { bar?.show($0) }
        } catch is CancellationError {
            bar?.remove()
            note("interrupted; what has arrived is kept, and the same command goes on from there")
            throw CancellationError()
        }
    }

    private func progressBar(named name: String) -> ProgressBar {
        note("downloading \(name)")
        return ProgressBar(errors: errors, now: environment.now)
    }
}
