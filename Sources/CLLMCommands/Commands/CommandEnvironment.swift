package import CarbocationLocalLLMTools
import Foundation

/// Everything outside of the command line that a command depends on.
package struct CommandEnvironment: Sendable {
    package var variables: [String: String]
    package var input: any ByteReading
    package var output: any ByteWriting
    package var errors: any ByteWriting
    /// Where a person can edit lines; nil when there is no terminal for that.
    package var terminal: (any TerminalDevice)?
    /// Signals that ask the program to stop.
    package var interruptions: AsyncStream<Interruption>
    /// Called when a signal was dealt with and the program goes on.
    package var rearmInterruptions: @Sendable () -> Void
    package var runtime: any ModelRuntime
    /// What loads pages for the tool `load_webpage`.
    package var webpageFetcher: any LLMWebpageFetching
    /// A time that only moves forward.
    package var now: @Sendable () -> Duration
    /// The most memory the process has held so far, in bytes.
    package var peakMemory: @Sendable () -> Int?
    /// The memory of the computer, in bytes.
    package var physicalMemory: UInt64

    package init(
        variables: [String: String],
        input: any ByteReading,
        output: any ByteWriting,
        errors: any ByteWriting,
        terminal: (any TerminalDevice)? = nil,
        interruptions: AsyncStream<Interruption>,
        rearmInterruptions: @escaping @Sendable () -> Void = {},
        runtime: any ModelRuntime,
        webpageFetcher: any LLMWebpageFetching = URLSessionWebpageFetcher(),
        now: @escaping @Sendable () -> Duration,
        peakMemory: @escaping @Sendable () -> Int?,
        physicalMemory: UInt64 = ProcessInfo.processInfo.physicalMemory
    ) {
        self.variables = variables
        self.input = input
        self.output = output
        self.errors = errors
        self.terminal = terminal
        self.interruptions = interruptions
        self.rearmInterruptions = rearmInterruptions
        self.runtime = runtime
        self.webpageFetcher = webpageFetcher
        self.now = now
        self.peakMemory = peakMemory
        self.physicalMemory = physicalMemory
    }
}
