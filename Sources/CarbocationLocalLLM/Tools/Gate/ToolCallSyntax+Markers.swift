extension ToolCallSyntax {
    /// The syntax that llama.cpp's analysis of a template describes; nil if it found no calls.
    package init?(_ markers: ToolMarkers) {
        self.init(family: .analysed)
        switch markers.mode {
        case .none: return nil
        case .jsonNative: describeJSON(markers)
        case .tagWithJSON: describeNamedJSON(markers)
        case .tagWithTagged: describeTags(markers)
        }
        guard acceptsBareCalls || envelopes.contains(where: { !$0.opener.isEmpty }) else { return nil }
        envelopes.append(.bracketed)
    }

    private mutating func describeJSON(_ markers: ToolMarkers) {
        let format = ToolCallBodyFormat.json(markers.nameIsKey ? .key : .value)
        let perCall = markers.perCallStart.trimmed
        let section = markers.sectionStart.trimmed
        guard let opener = [perCall, section].first(where: { !$0.isEmpty }) else {
            acceptsBareCalls = true
            return
        }
        let closer = (perCall.isEmpty ? markers.sectionEnd : markers.perCallEnd).trimmed
        envelopes = [Self.json(opener, closer: closer, format)]
        if !perCall.isEmpty { describeSection(markers) }
    }

    /// JSON behind an opener, which may hold the first bracket.
    private static func json(_ opener: String, closer: String, _ format: ToolCallBodyFormat) -> ToolCallEnvelope {
        let beginsInBracket = opener.utf8.last == UInt8(ascii: "[") && (closer.isEmpty || closer.first == "]")
        let closer = beginsInBracket ? String(closer.drop { $0 == "]" }) : closer
        var rule = BracketedBodyRule(lead: .space, beginsInBracket: beginsInBracket)
        rule.endsBalanced = closer.isEmpty
        rule.repeats = closer.isEmpty && !beginsInBracket
        var envelope = ToolCallEnvelope(
            opener: opener, body: .bracketed(rule), closers: closer.isEmpty ? [] : [closer], format: format)
        if beginsInBracket { envelope.bodyStart = opener.utf8.count - 1 }
        return envelope
    }

    private mutating func describeSection(_ markers: ToolMarkers) {
        sectionOpeners = [markers.sectionStart.trimmed].filter { !$0.isEmpty }
        sectionClosers = [markers.sectionEnd.trimmed].filter { !$0.isEmpty }
    }

    private mutating func describeNamedJSON(_ markers: ToolMarkers) {
        let closer = Self.first(markers.perCallEnd, markers.functionClose, markers.argumentsEnd)
        var syntax = NamedJSONCallSyntax(
            start: Marker(Self.first(markers.namePrefix, markers.perCallStart)),
            separator: Marker((markers.nameSuffix + markers.argumentsSeparator + markers.argumentsStart).trimmed),
            close: Marker(closer), allowsMissingArguments: !closer.isEmpty)
        switch markers.callIDPosition {
        case .betweenNameAndArguments:
            syntax.identifier = .afterName(start: Marker(markers.callIDPrefix.trimmed))
        case .beforeName: syntax.identifier = .beforeName(end: Marker(markers.callIDSuffix.trimmed))
        case .none, .afterArguments: break
        }
        let opener = Self.first(markers.perCallStart, markers.namePrefix)
        var rule = BracketedBodyRule(lead: .anything)
        rule.endsBalanced = opener.isEmpty ? markers.sectionEnd.trimmed.isEmpty : closer.isEmpty
        describe(
            markers, ToolCallEnvelope(opener: opener, body: .bracketed(rule), format: .named(syntax)), closer: closer)
    }

    private mutating func describeTags(_ markers: ToolMarkers) {
        let syntax = TaggedCallSyntax(
            functionPrefix: markers.namePrefix, functionSuffix: markers.nameSuffix,
            functionClose: markers.functionClose, keyPrefix: markers.argumentNamePrefix,
            keySuffix: markers.argumentNameSuffix, valuePrefix: markers.argumentValuePrefix,
            valueSuffix: markers.argumentValueSuffix,
            fillers: [
                markers.argumentsStart, markers.argumentsEnd, markers.argumentSeparator, markers.argumentsSeparator,
            ])
        let name = markers.namePrefix.trimmed
        let start = markers.perCallStart.trimmed
        let beginsWithName = start.isEmpty || name.isEmpty
        let rule = TaggedBodyRule(syntax: syntax, lead: beginsWithName ? .name : .tag)
        var envelope = ToolCallEnvelope(
            opener: Self.first(start, name), body: .tagged(rule), format: .tagged(syntax))
        if start.isEmpty, !name.isEmpty { envelope.bodyStart = 0 }
        describe(markers, envelope, closer: Self.first(start.isEmpty ? "" : markers.perCallEnd, markers.functionClose))
    }

    /// Takes an envelope over; where calls have no opener of their own, the section's markers are theirs.
    private mutating func describe(_ markers: ToolMarkers, _ envelope: ToolCallEnvelope, closer: String) {
        var envelope = envelope
        var closer = closer
        if envelope.opener.isEmpty {
            envelope.opener = markers.sectionStart.trimmed
            closer = markers.sectionEnd.trimmed
        } else {
            describeSection(markers)
        }
        envelope.closers = [closer].filter { !$0.isEmpty }
        envelopes = [envelope]
    }

    /// The first text that is not blank, without white space around it.
    private static func first(_ texts: String...) -> String {
        texts.lazy.map(\.trimmed).first { !$0.isEmpty } ?? ""
    }
}
