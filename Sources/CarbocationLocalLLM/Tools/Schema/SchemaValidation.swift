/// One check of a value against a schema.
///
/// References may lead in circles and alternatives multiply, so depth and total work are bounded.
struct SchemaValidation {
    private static let maximumDepth = 96
    private static let maximumListed = 32
    private static let maximumWork = 100_000

    let root: LLMJSONValue
    private(set) var violations: [String] = []

    private var violationCount = 0
    private var path: [String] = []
    private var depth = 0
    private var work = 0
    private var patterns: [String: SchemaPattern?] = [:]

    init(root: LLMJSONValue) {
        self.root = root
    }

    mutating func check(_ value: LLMJSONValue, against schema: LLMJSONValue) {
        work += 1
        guard work <= Self.maximumWork else {
            // One sentence is enough, however many checks are cut short by it.
            if work == Self.maximumWork + 1 { report("is too much work to check") }
            violationCount += 1
            return
        }
        guard depth < Self.maximumDepth else { return report("is nested too deeply to check") }
        depth += 1
        defer { depth -= 1 }
        switch schema {
        case .bool(false): report("is not allowed")
        case .object(let keywords): check(value, against: keywords)
        default: break
        }
    }

    private mutating func check(_ value: LLMJSONValue, against keywords: LLMJSONObject) {
        if let reference = keywords["$ref"]?.text {
            if let target = SchemaReference.resolve(reference, in: root) { check(value, against: target) }
        }
        guard checkType(of: value, keywords) else { return }
        checkListed(value, keywords)
        switch value {
        case .string(let text): checkText(text, keywords)
        case .int, .double: checkNumber(value, keywords)
        case .array(let elements): checkElements(elements, keywords)
        case .object(let object): checkMembers(of: object, keywords)
        case .null, .bool: break
        }
        checkCombinations(value, keywords)
    }

    mutating func report(_ problem: String) {
        violationCount += 1
        guard violations.count < Self.maximumListed else { return }
        let pointer = path.isEmpty ? "The value" : path.map { "/" + JSONPointer.escaped($0) }.joined()
        violations.append("\(pointer) \(problem).")
    }

    /// Checks a member or element.
    private mutating func check(_ value: LLMJSONValue, at key: String, against schema: LLMJSONValue) {
        path.append(key)
        check(value, against: schema)
        path.removeLast()
    }

    /// Whether the value is valid; what is wrong with it is not reported.
    private mutating func isValid(_ value: LLMJSONValue, against schema: LLMJSONValue) -> Bool {
        let before = (violationCount, violations.count)
        check(value, against: schema)
        defer {
            violations.removeLast(violations.count - before.1)
            violationCount = before.0
        }
        return violationCount == before.0
    }
}

extension SchemaValidation {
    /// Whether the type is right; the other keywords say nothing useful about a value of a wrong type.
    private mutating func checkType(of value: LLMJSONValue, _ keywords: LLMJSONObject) -> Bool {
        let names: [String]
        switch keywords["type"] {
        case .string(let name): names = [name]
        case .array(let list): names = list.compactMap(\.text)
        default: return true
        }
        let types = names.compactMap(SchemaType.init(rawValue:))
        guard types.count == names.count, !types.isEmpty, !types.contains(where: { $0.includes(value) }) else {
            return true
        }
        report("is \(SchemaType.name(of: value)), not \(names.joined(separator: " or "))")
        return false
    }

    private mutating func checkListed(_ value: LLMJSONValue, _ keywords: LLMJSONObject) {
        if let constant = keywords["const"], !value.equalsAsJSON(constant) {
            report("is not \(Self.excerpt(constant))")
        }
        if let choices = keywords["enum"]?.arrayValue, !choices.contains(where: { value.equalsAsJSON($0) }) {
            report("is none of \(Self.excerpt(.array(choices)))")
        }
    }

    private mutating func checkText(_ text: String, _ keywords: LLMJSONObject) {
        let length = text.unicodeScalars.count
        if let minimum = keywords["minLength"]?.intValue, length < minimum {
            report("is \(length) characters long, at least \(minimum) are needed")
        }
        if let maximum = keywords["maxLength"]?.intValue, length > maximum {
            report("is \(length) characters long, at most \(maximum) are allowed")
        }
        if let pattern = keywords["pattern"]?.text, let compiled = compiledPattern(pattern), !compiled.matches(text) {
            report("does not match the pattern \(pattern)")
        }
        if let name = keywords["format"]?.text, let format = SchemaFormat(rawValue: name), !format.matches(text) {
            report("is no \(name)")
        }
    }

    private mutating func compiledPattern(_ pattern: String) -> SchemaPattern? {
        if let known = patterns[pattern] { return known }
        let compiled = SchemaPattern(pattern)
        patterns[pattern] = .some(compiled)
        return compiled
    }

    private mutating func checkNumber(_ number: LLMJSONValue, _ keywords: LLMJSONObject) {
        func limit(_ keyword: String) -> LLMJSONValue? {
            keywords[keyword].flatMap { $0.isNumber ? $0 : nil }
        }
        if let minimum = limit("minimum"), number.isLess(than: minimum) {
            report("is less than \(minimum.jsonString())")
        }
        if let maximum = limit("maximum"), maximum.isLess(than: number) {
            report("is greater than \(maximum.jsonString())")
        }
        if let minimum = limit("exclusiveMinimum"), !minimum.isLess(than: number) {
            report("is not greater than \(minimum.jsonString())")
        }
        if let maximum = limit("exclusiveMaximum"), !number.isLess(than: maximum) {
            report("is not less than \(maximum.jsonString())")
        }
    }

    private static func excerpt(_ value: LLMJSONValue) -> String {
        let text = value.jsonString()
        return text.utf8.count <= 200 ? text : text.prefix(200) + "…"
    }
}

extension SchemaValidation {
    private mutating func checkElements(_ elements: [LLMJSONValue], _ keywords: LLMJSONObject) {
        if let minimum = keywords["minItems"]?.intValue, elements.count < minimum {
            report("has \(elements.count) elements, at least \(minimum) are needed")
        }
        if let maximum = keywords["maxItems"]?.intValue, elements.count > maximum {
            report("has \(elements.count) elements, at most \(maximum) are allowed")
        }
        let first = keywords["prefixItems"]?.arrayValue ?? []
        for (index, pair) in zip(elements, first).enumerated() {
            check(pair.0, at: String(index), against: pair.1)
        }
        guard let rest = keywords["items"] else { return }
        for index in elements.indices.dropFirst(first.count) {
            check(elements[index], at: String(index), against: rest)
        }
    }

    private mutating func checkMembers(of object: LLMJSONObject, _ keywords: LLMJSONObject) {
        let properties = keywords["properties"]?.objectValue ?? LLMJSONObject()
        for name in keywords["required"]?.arrayValue ?? [] {
            guard let name = name.text, object[name] == nil else { continue }
            path.append(name)
            report("is required and missing")
            path.removeLast()
        }
        let additional = keywords["additionalProperties"]
        for (key, value) in object.pairs {
            if let schema = properties[key] {
                check(value, at: key, against: schema)
            } else if let additional {
                check(value, at: key, against: additional)
            }
        }
    }

    private mutating func checkCombinations(_ value: LLMJSONValue, _ keywords: LLMJSONObject) {
        for schema in keywords["allOf"]?.arrayValue ?? [] { check(value, against: schema) }
        if let alternatives = keywords["anyOf"]?.arrayValue, !alternatives.isEmpty {
            checkAny(value, alternatives)
        }
        if let alternatives = keywords["oneOf"]?.arrayValue, !alternatives.isEmpty {
            var matches = 0
            for alternative in alternatives where isValid(value, against: alternative) { matches += 1 }
            if matches == 0 { report("fits none of the \(alternatives.count) alternatives") }
            if matches > 1 { report("fits \(matches) alternatives and may fit only one") }
        }
    }

    private mutating func checkAny(_ value: LLMJSONValue, _ alternatives: [LLMJSONValue]) {
        for alternative in alternatives where isValid(value, against: alternative) { return }
        report("fits none of the \(alternatives.count) alternatives")
    }
}
