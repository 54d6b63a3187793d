/// Reads complete calls and holds them against the declared tools.
struct ToolCallAdmission: Sendable {
    /// What a complete envelope holds.
    enum Verdict: Sendable, Hashable {
        /// Text that only looks like a call.
        case text
        case calls([AdmittedCall])
    }

    let names: Set<String>
    private let tools: [LLMToolDefinition]
    private let toolsByName: [String: LLMToolDefinition]
    private var decoders: [ToolCallBodyFormat: any ToolCallBodyDecoding] = [:]

    init(tools: [LLMToolDefinition]) {
        self.tools = tools
        toolsByName = Dictionary(tools.map { ($0.name, $0) }) { first, _ in first }
        names = Set(toolsByName.keys)
    }

    /// Reads a call in its envelope.
    mutating func admit(_ call: ScannedCall, phase: LLMStreamContentPhase) -> Verdict {
        let decoder = decoders[call.format] ?? call.format.decoder(tools: tools)
        decoders[call.format] = decoder
        let results = decoder.decode(call.body[...])
        if call.undeclaredIsText, results.allSatisfy({ isText($0, namelessIsText: call.namelessIsText) }) {
            return .text
        }
        return .calls(results.map { admit($0, raw: call.raw, phase: phase) })
    }

    /// Reads a call whose name and arguments came apart.
    func admit(_ message: HarmonyMessage) -> AdmittedCall {
        let name = message.recipient
        let result = JSONArgumentsDecoder().decode(
            message.body[...], name: declaredName(name) ?? Self.withoutNamespace(name))
        return admit(result, raw: message.raw, phase: message.phase)
    }

    private func isText(_ result: ToolCallDecodingResult, namelessIsText: Bool) -> Bool {
        let name: String?
        switch result {
        case .success(let call): name = call.name
        case .failure(.malformed(let malformedName, _, _)): name = malformedName
        }
        guard let name else { return namelessIsText }
        return declaredName(name) == nil
    }

    private func declaredName(_ name: String) -> String? {
        resolvedName(name, among: names)
    }

    /// The name without the namespace that the Harmony format has for all tools.
    private static func withoutNamespace(_ recipient: String) -> String {
        let namespace = "functions."
        let rest = recipient.dropFirst(namespace.count)
        return recipient.hasPrefix(namespace) && !rest.isEmpty ? String(rest) : recipient
    }
}

extension ToolCallAdmission {
    private func admit(
        _ result: ToolCallDecodingResult, raw: String, phase: LLMStreamContentPhase
    ) -> AdmittedCall {
        switch result {
        case .success(let call): admit(call, raw: raw, phase: phase)
        case .failure(.malformed(let name, let rawID, let reason)):
            .rejected(malformed(name: name, rawID: rawID, reason: reason, raw: raw, phase: phase))
        }
    }

    private func admit(_ call: DecodedToolCall, raw: String, phase: LLMStreamContentPhase) -> AdmittedCall {
        let rawID = LLMToolCallIDAllocator.cleaned(call.rawID)
        guard let name = declaredName(call.name), let tool = toolsByName[name] else {
            return .rejected(
                RejectedToolCall(
                    code: .unknownTool, message: Self.unknown(call.name), name: call.name, rawID: rawID,
                    arguments: call.arguments.object(for: nil), raw: raw, triggerPhase: phase))
        }
        let arguments = call.arguments.object(for: tool.parameters)
        let violations = LLMJSONSchemaValidator.violations(of: arguments, against: tool.parameters)
        guard violations.isEmpty else {
            return .rejected(
                RejectedToolCall(
                    code: .invalidArguments,
                    message: "Invalid arguments for \(name): \(violations.joined(separator: " "))", name: name,
                    rawID: rawID, arguments: arguments, raw: raw, triggerPhase: phase))
        }
        return .accepted(
            LLMToolCall(executionID: "", rawID: rawID, name: name, arguments: arguments, triggerPhase: phase))
    }

    private func malformed(
        name: String?, rawID: String?, reason: String, raw: String, phase: LLMStreamContentPhase
    ) -> RejectedToolCall {
        let rawID = LLMToolCallIDAllocator.cleaned(rawID)
        let declared = name.flatMap(declaredName)
        if let name, declared == nil {
            return RejectedToolCall(
                code: .unknownTool, message: Self.unknown(name), name: name, rawID: rawID, raw: raw,
                triggerPhase: phase)
        }
        let tool = declared.flatMap { toolsByName[$0] }
        // The model gets the schema once more, because its call shows that it lost track of it.
        let schema = tool.map { " The arguments are a JSON object for this schema: \($0.parameters.jsonString())" }
        return RejectedToolCall(
            code: .invalidArguments, message: "The call could not be read: \(reason).\(schema ?? "")", name: declared,
            rawID: rawID, raw: raw, triggerPhase: phase)
    }

    private static func unknown(_ name: String) -> String {
        "Unknown tool: \(name)"
    }
}
