import CarbocationLocalLLM
import Foundation

/// A chat from its first line to its last.
struct Conversation {
    private var chat: OpenChat
    private let request: ModelLoadRequest
    private var options: GenerationOptions
    private let tools: ToolArguments
    private let format: AnswerFormat
    private let showsStatistics: Bool
    /// Of the session that is open.
    private var loadTime: Duration
    private let context: CommandContext
    /// Of the last turn.
    private var meter: GenerationMeter?
    private var tally = ChatTally()

    init(
        chat: OpenChat, request: ModelLoadRequest, options: GenerationOptions, tools: ToolArguments,
        format: AnswerFormat, showsStatistics: Bool, loadTime: Duration, context: CommandContext
    ) {
        self.chat = chat
        self.request = request
        self.options = options
        self.tools = tools
        self.format = format
        self.showsStatistics = showsStatistics
        self.loadTime = loadTime
        self.context = context
    }

    /// Follows all lines.
    ///
    /// A person sees what went wrong and goes on. A program learns it from the error at the end.
    mutating func run(_ input: consuming ChatInput) async throws {
        if input.isInteractive {
            let name = request.source.displayName
            context.note("\(name), context \(chat.contextSize) tokens; /help lists the commands")
        }
        loop: while let line = try await input.next() {
            switch line {
            case .unusable(let failure): try refuse(failure)
            case .text(let text):
                let instruction = ChatInstruction(text)
                if instruction == .quit { break loop }
                // Ctrl-C behind anything but a turn is read with the next line, and leaves.
                if case .say = instruction, input.takeInterrupt() {
                    noteStop()
                } else {
                    try await follow(instruction, isInteractive: input.isInteractive)
                }
            }
        }
        guard !input.isInteractive, let problem = tally.problem else { return }
        throw CommandFailure(.checkFailed, problem)
    }

    func close() async {
        await chat.session.unload()
    }

    private mutating func follow(_ instruction: ChatInstruction, isInteractive: Bool) async throws {
        switch instruction {
        case .nothing, .quit: break
        case .say(let prompt): try await answer(prompt, isInteractive: isInteractive)
        case .help: context.errors.text(ChatInstruction.helpText)
        case .mistake(let problem): fail(problem)
        case .stats: await showFigures()
        case .think(let isOn): think(isOn)
        case .reset:
            await chat.session.reset()
            context.note("all turns are forgotten")
        case .save(let path): try await attempt { try await $0.save(to: path) }
        case .load(let path): try await attempt { try await $0.load(path) }
        case .system(let text): try await attempt { try await $0.begin(system: text) }
        }
    }

    /// Tells what goes wrong, after which the conversation goes on as it was.
    private mutating func attempt(_ body: (inout Conversation) async throws -> Void) async throws {
        do {
            try await body(&self)
        } catch {
            try Task.checkCancellation()
            fail(FailureReport(error).message)
        }
    }

    private mutating func fail(_ problem: String) {
        tally.failedCommands += 1
        context.errors.line(problem)
    }
}

// MARK: - Turns

extension Conversation {
    /// Counts a line that is no text as a turn that failed.
    private mutating func refuse(_ failure: CommandFailure) throws {
        tally.turns += 1
        tally.failedTurns += 1
        let report = FailureReport(failure)
        var presenter = format.presenter(in: context)
        try presenter.fail(report)
        context.errors.line(report.message)
    }

    private mutating func answer(_ prompt: String, isInteractive: Bool) async throws {
        let turn = ChatTurn(
            session: chat.session, prompt: prompt, options: options, tools: tools, format: format, context: context)
        // A pipe has nobody who could say something else instead.
        let outcome = isInteractive ? await context.interruptions.stoppable { await turn.run() } : await turn.run()
        meter = outcome.meter
        tally.turns += 1
        if showsStatistics { await showFigures() }
        guard let failure = outcome.failure else { return }
        try Task.checkCancellation()
        if let closed = failure as? OutputClosed { throw closed }
        if failure is CancellationError {
            noteStop()
        } else {
            tally.failedTurns += 1
            context.errors.line(FailureReport(failure).message)
        }
    }

    private func noteStop() {
        context.note("stopped; the conversation goes on without this turn")
    }

    private func showFigures() async {
        guard let meter else { return context.errors.line("there was no turn yet") }
        let engine = await chat.engineFigures()
        let report = StatisticsReport(
            loadTime: loadTime, load: engine.load, meter: meter, threads: engine.threads,
            promptReuse: engine.promptReuse)
        context.errors.text(report.text)
    }

    private mutating func think(_ isOn: Bool) {
        options.enableThinking = isOn
        guard isOn, !chat.thinking.supportsThinking else { return }
        context.note("this model's template cannot switch thinking on; it may change nothing")
    }
}

// MARK: - The conversation as a whole

extension Conversation {
    private mutating func save(to path: String) async throws {
        try await chat.session.save(to: file(path))
        context.note("saved to \(path)")
    }

    private mutating func load(_ path: String) async throws {
        let url = file(path)
        do {
            try await replace { [context, request] in try await context.runtime.restoreChat(from: url, request) }
        } catch LLMSessionError.modelMismatch(let reason) {
            throw CommandFailure(
                .refused, "\(reason) To go on with it, begin a chat with its model: cllm chat --model MODEL.")
        }
        let count = await chat.session.transcript.count
        context.note("going on with a conversation of \(count) messages")
    }

    private mutating func begin(system: String) async throws {
        try await replace { [context, request] in
            try await context.runtime.openChat(request, ChatOpening(system: system))
        }
        context.note("a new conversation begins")
    }

    /// Takes another conversation in place of this one, which stays when there is none.
    private mutating func replace(with open: () async throws -> OpenChat) async throws {
        let (next, time) = try await context.loading(request, open)
        await chat.session.unload()
        chat = next
        loadTime = time
        meter = nil
    }

    /// The file that a person means; no shell has replaced the tilde.
    private func file(_ path: String) -> URL {
        guard path.hasPrefix("~/"), let home = context.environment.variables["HOME"] else {
            return URL(fileURLWithPath: path)
        }
        return URL(fileURLWithPath: home + path.dropFirst())
    }
}
