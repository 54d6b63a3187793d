/// How a model writes calls: which markers begin and end them, and what stands between.
package struct ToolCallSyntax: Sendable, Hashable {
    /// A family of models that write calls alike.
    package enum Family: String, Sendable, Hashable, CaseIterable {
        case apertus, apriel, cohere, commandRPlus, deepSeek, deepSeekMarkup, firefunction, functionary31
        case functionary32, gemma, gigaChat, granite, harmony, hermes, hunyuan, internLM, kimi, kimiMarkup, lfm2, llama
        case miniCPM, miniMax, miniMaxNamespace, mistral, muse, nemotron, olmo, seed, solar
        /// Found by llama.cpp's analysis of the template.
        case analysed
        /// No format of its own: the one of the system text.
        case plain
    }

    package var family: Family
    /// The calls.
    package var envelopes: [ToolCallEnvelope] = []
    /// What may stand before the first call of a turn and belongs to none.
    package var sectionOpeners: [String] = []
    /// What may stand between calls and after the last.
    package var sectionClosers: [String] = []
    /// Whether `{"tool_calls":[…]}` is a call anywhere outside of code.
    package var acceptsWrapper = false
    /// Whether an object or list of objects with name and arguments is a call if it is the whole text.
    package var acceptsBareCalls = false
    /// Whether `[name(key=value)]` is a call if it is the whole text.
    package var acceptsBareCallList = false

    /// The format that is described to models without one of their own.
    package static let plain = ToolCallSyntax(.plain)

    /// Every marker around calls, in no particular order.
    package var markers: [String] {
        (envelopes.flatMap { [$0.opener] + $0.closers + $0.boundaries } + sectionOpeners + sectionClosers)
            .filter { !$0.isEmpty }
    }

    /// The markers with which the family's calls may begin, in no particular order.
    package var openers: [String] {
        sectionOpeners + envelopes.filter { !$0.isAtStartOnly && !$0.undeclaredIsText }.map(\.opener)
    }
}
