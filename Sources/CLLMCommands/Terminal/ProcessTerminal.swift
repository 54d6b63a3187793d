import CarbocationLocalLLM
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The terminal of this process: keys come from standard input, what is shown goes to standard error.
///
/// Standard output stays free for results.
package final class ProcessTerminal: TerminalDevice {
    private let input = Descriptor(number: 0)
    private let output = Descriptor(number: 2)
    /// The settings to restore, while it is taken over.
    private let found = Locked<termios?>(nil)

    private init() {}

    /// The terminal, nil when the process has none or one that can show nothing but lines.
    package static func current(variables: [String: String]) -> ProcessTerminal? {
        let terminal = ProcessTerminal()
        guard terminal.input.isTerminal, terminal.output.isTerminal else { return nil }
        guard let kind = variables["TERM"], !kind.isEmpty, kind != "dumb" else { return nil }
        return terminal
    }

    package var size: TerminalSize {
        var size = winsize()
        guard ioctl(output.number, UInt(TIOCGWINSZ), &size) == 0 else { return TerminalSize(columns: 0, rows: 0) }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    package func takeOver() throws {
        try found.withLock { found in
            guard found == nil else { return }
            var settings = termios()
            guard tcgetattr(input.number, &settings) == 0 else { throw Self.failure() }
            found = settings
            settings.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INPCK | ISTRIP | IXON)
            settings.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
            withUnsafeMutableBytes(of: &settings.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
            // What was typed in advance stays.
            guard tcsetattr(input.number, TCSADRAIN, &settings) == 0 else {
                found = nil
                throw Self.failure()
            }
        }
        try write(Self.pasteMarkers(true))
    }

    package func restore() {
        found.withLock { found in
            guard var settings = found else { return }
            try? write(Self.pasteMarkers(false))
            _ = tcsetattr(input.number, TCSADRAIN, &settings)
            found = nil
        }
    }

    package func read() async throws -> [UInt8] {
        let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
            Thread.detachNewThread { [input] in
                continuation.yield(with: Result { try Self.bytes(of: input) })
                continuation.finish()
            }
        }
        for try await chunk in chunks { return chunk }
        try Task.checkCancellation()
        return []
    }

    package func readWaiting() -> [UInt8] {
        var request = pollfd(fd: input.number, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 0) == 1, request.revents & Int16(POLLIN) != 0 else { return [] }
        // A failure shows again when the next line is read.
        return (try? input.read(upTo: 4096)) ?? []
    }

    package func write(_ text: String) throws {
        guard !text.isEmpty else { return }
        try DescriptorWriter(descriptor: output.number).write(Array(text.utf8))
    }

    package func suspend() {
        raise(SIGTSTP)
    }

    private static func bytes(of input: Descriptor) throws -> [UInt8] {
        do throws(Descriptor.Failure) {
            return try input.read(upTo: 4096)
        } catch {
            // The window was closed.
            if error.number == EIO { return [] }
            throw CommandFailure(.inputUnreadable, "The terminal cannot be read: \(error.reason).")
        }
    }

    /// Asks the terminal to mark what is pasted, or not to.
    private static func pasteMarkers(_ isOn: Bool) -> String { "\u{1B}[?2004\(isOn ? "h" : "l")" }

    private static func failure() -> CommandFailure {
        let reason = Descriptor.Failure(number: errno).reason
        return CommandFailure(.inputUnreadable, "The terminal cannot be set up: \(reason).")
    }
}
