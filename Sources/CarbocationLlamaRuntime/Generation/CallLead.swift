import CarbocationLocalLLM

/// What of a call that has begun its grammar begins with.
enum CallLead: Hashable, Sendable {
    /// What comes from one of these texts on, behind a text that the grammar has before it.
    case opener([String], behind: String = "")
    /// The body, from its first bracket on.
    case json
    /// The body: the tool's name in a line of its own, then its arguments.
    case lines
    /// A header in llama.cpp's spelling, whatever the model's was, and the body.
    case recipient

    /// What is known of a call's beginning.
    enum Beginning: Hashable, Sendable {
        case text(String)
        /// Too little has come.
        case open
        /// No beginning that the grammar has.
        case none
    }

    /// How far a call may have come until it is known how it begins.
    private static let patience = 512

    /// The lead of llama.cpp's grammar for calls alone; nil when it does not fit the way in which calls are read.
    init?(_ syntax: ToolCallSyntax, format: ChatFormat) {
        guard !format.grammar.isEmpty, format.grammarLazy else { return nil }
        switch syntax.family {
        case _ where !format.callOpeners.isEmpty: self = .opener(format.callOpeners)
        case .harmony: self = .recipient
        case .functionary32: self = .lines
        // Its message has a header for whom it is, which says nothing that the call does not say too.
        case .muse: self = .opener(syntax.sectionOpeners, behind: " to=tool<|message|>")
        default: return nil
        }
    }

    /// What the grammar begins with for `call`.
    func beginning(of call: OpenCall) -> Beginning {
        switch self {
        case .opener(let openers, let before):
            let text = call.lead + call.body
            guard let start = openers.compactMap({ text.firstRange(of: $0)?.lowerBound }).min() else {
                return text.utf8.count < Self.patience ? .open : .none
            }
            return .text(before + text[start...])
        case .json:
            guard let start = call.body.firstIndex(where: { !$0.isWhitespace }) else { return .open }
            return call.body[start] == "{" || call.body[start] == "[" ? .text(String(call.body[start...])) : .none
        case .lines:
            return .text(call.body)
        case .recipient:
            guard let recipient = call.recipient else { return .none }
            let namespace = "functions."
            let name = recipient.hasPrefix(namespace) ? recipient : namespace + recipient
            return .text("<|channel|>commentary to=\(name)<|message|>" + call.body)
        }
    }
}
