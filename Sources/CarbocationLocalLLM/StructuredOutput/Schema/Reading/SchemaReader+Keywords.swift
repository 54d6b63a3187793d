extension SchemaReader {
    /// Adds what the keywords of one schema say.
    mutating func readKeywords(of part: Part, into shape: inout SchemaShape) throws(SchemaFailure) {
        guard let keywords = document[part].objectValue else { return }
        try readTypes(keywords, part, &shape)
        try readValues(keywords, part, &shape)
        try readRange(keywords, part, &shape)
        try readText(keywords, part, &shape)
        try readElements(keywords, part, &shape)
        try readMembers(keywords, part, &shape)
    }

    private func readTypes(
        _ keywords: LLMJSONObject, _ part: Part, _ shape: inout SchemaShape
    ) throws(SchemaFailure) {
        guard let value = keywords["type"] else { return }
        var types: Set<SchemaType> = []
        for name in value.arrayValue ?? [value] {
            guard case .string(let text) = name, let type = SchemaType(rawValue: text) else {
                throw failure(part, "type", "names none of JSON's types")
            }
            types.insert(type)
        }
        if types.isEmpty { throw failure(part, "type", "lists no type") }
        if types.contains(.number) { types.remove(.integer) }
        shape.restrict(to: types)
    }

    private func readValues(
        _ keywords: LLMJSONObject, _ part: Part, _ shape: inout SchemaShape
    ) throws(SchemaFailure) {
        if let constant = keywords["const"] { shape.restrict(to: [constant]) }
        guard let value = keywords["enum"] else { return }
        guard let values = value.arrayValue, !values.isEmpty else {
            throw failure(part, "enum", "is no list of values")
        }
        shape.restrict(to: values)
    }

    private func readRange(
        _ keywords: LLMJSONObject, _ part: Part, _ shape: inout SchemaShape
    ) throws(SchemaFailure) {
        var range = NumberRange()
        for (keyword, value) in keywords.pairs {
            switch keyword {
            case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf": break
            default: continue
            }
            shape.impliedTypes.insert(.number)
            // In the fourth draft these two say how the others are meant.
            if case .bool = value, keyword.hasPrefix("exclusive") { continue }
            guard let number = DecimalNumber(value) else { throw failure(part, keyword, "is no number") }
            switch keyword {
            case "minimum":
                range.raiseLower(to: .init(number: number, isExclusive: keywords["exclusiveMinimum"] == .bool(true)))
            case "maximum":
                range.reduceUpper(to: .init(number: number, isExclusive: keywords["exclusiveMaximum"] == .bool(true)))
            case "exclusiveMinimum": range.raiseLower(to: .init(number: number, isExclusive: true))
            case "exclusiveMaximum": range.reduceUpper(to: .init(number: number, isExclusive: true))
            default:
                guard let multiple = NumberMultiple(number) else {
                    throw failure(part, keyword, "is supported for numbers above 0 of few digits only")
                }
                range.multiples.append(multiple)
            }
        }
        if range.isEmpty {
            let keyword = keywords["minimum"] == nil ? "exclusiveMinimum" : "minimum"
            throw failure(part, keyword, "is above the maximum")
        }
        shape.range.narrow(to: range)
    }

    private mutating func readText(
        _ keywords: LLMJSONObject, _ part: Part, _ shape: inout SchemaShape
    ) throws(SchemaFailure) {
        let (minimum, maximum) = try readCounts("minLength", "maxLength", keywords, part)
        if minimum != nil || maximum != nil { shape.impliedTypes.insert(.string) }
        shape.text.minimum = max(shape.text.minimum, minimum ?? 0)
        shape.text.maximum = [shape.text.maximum, maximum].compactMap(\.self).min()
        if let value = keywords["pattern"] {
            guard case .string(let pattern) = value else { throw failure(part, "pattern", "is no text") }
            try checkPattern(pattern, part)
            shape.impliedTypes.insert(.string)
            if !shape.text.patterns.contains(pattern) { shape.text.patterns.append(pattern) }
        }
        guard let value = keywords["format"] else { return }
        guard case .string(let name) = value else { throw failure(part, "format", "is no text") }
        guard SchemaFormat(rawValue: name) != nil else { return }
        shape.impliedTypes.insert(.string)
        if !shape.text.formats.contains(name) { shape.text.formats.append(name) }
    }

    /// Compiles a pattern, to refuse it where it stands.
    private mutating func checkPattern(_ pattern: String, _ part: Part) throws(SchemaFailure) {
        let excerpt = "'\(SchemaDocument.excerpt(pattern))'"
        guard patterns[pattern] == nil else { return }
        let automaton: TextAutomaton?
        do { automaton = try PatternAutomaton.containing(pattern) } catch {
            throw failure(part, "pattern", "\(excerpt) is too complex")
        }
        guard let automaton else {
            throw failure(part, "pattern", "\(excerpt) is no regular expression, or of an unsupported kind")
        }
        if automaton.acceptsNothing { throw failure(part, "pattern", "\(excerpt) matches nothing") }
        patterns[pattern] = automaton
    }

    /// The bounds of a count, neither of them negative.
    private func readCounts(
        _ lower: String, _ upper: String, _ keywords: LLMJSONObject, _ part: Part
    ) throws(SchemaFailure) -> (Int?, Int?) {
        var counts: [Int?] = []
        for keyword in [lower, upper] {
            guard let value = keywords[keyword] else {
                counts.append(nil)
                continue
            }
            guard case .int(let number) = value.withPlainNumbers, number >= 0 else {
                throw failure(part, keyword, "is no whole number from 0 on")
            }
            counts.append(Int(clamping: number))
        }
        if let minimum = counts[0], let maximum = counts[1], minimum > maximum {
            throw failure(part, lower, "is above \(upper)")
        }
        return (counts[0], counts[1])
    }
}

extension SchemaReader {
    private mutating func readElements(
        _ keywords: LLMJSONObject, _ part: Part, _ shape: inout SchemaShape
    ) throws(SchemaFailure) {
        let (minimum, maximum) = try readCounts("minItems", "maxItems", keywords, part)
        shape.minimumCount = max(shape.minimumCount, minimum ?? 0)
        shape.maximumCount = [shape.maximumCount, maximum].compactMap(\.self).min()
        var elements = SchemaShape.Elements()
        // Before the draft of 2020, `items` could be the list and `additionalItems` what comes after it.
        let isOldList = keywords["items"]?.arrayValue != nil
        let listKeyword = isOldList ? "items" : "prefixItems"
        if isOldList, keywords["prefixItems"] != nil { throw failure(part, "items", "is a list beside prefixItems") }
        if let array = document.child(listKeyword, of: part) {
            elements.first = document[array] == .array([]) ? [] : try schemas(in: array)
        }
        let restKeyword = isOldList ? "additionalItems" : "items"
        if keywords[restKeyword] != nil { elements.rest = try schema(restKeyword, of: part) }
        let speaksOfArrays = minimum != nil || maximum != nil || keywords["items"] != nil || !elements.first.isEmpty
        if speaksOfArrays { shape.impliedTypes.insert(.array) }
        if !elements.first.isEmpty || elements.rest != nil { shape.elements.append(elements) }
    }

    private mutating func readMembers(
        _ keywords: LLMJSONObject, _ part: Part, _ shape: inout SchemaShape
    ) throws(SchemaFailure) {
        var members = SchemaShape.Members()
        if let declared = document.child("properties", of: part) {
            guard let object = document[declared].objectValue else {
                throw failure(part, "properties", "is no object")
            }
            for key in object.keys { members.declared[key] = try schema(key, of: declared) }
            members.keys = object.keys
            shape.impliedTypes.insert(.object)
        }
        if keywords["additionalProperties"] != nil {
            members.others = try schema("additionalProperties", of: part)
            shape.impliedTypes.insert(.object)
        }
        if let value = keywords["required"] {
            shape.required += try keys(value, part)
            shape.impliedTypes.insert(.object)
        }
        if members.keys != nil || members.others != nil { shape.members.append(members) }
    }

    private func keys(_ value: LLMJSONValue, _ part: Part) throws(SchemaFailure) -> [String] {
        var keys: [String] = []
        for element in value.arrayValue ?? [value] {
            guard case .string(let key) = element, value.arrayValue != nil else {
                throw failure(part, "required", "is no list of keys")
            }
            keys.append(key)
        }
        return keys
    }
}
