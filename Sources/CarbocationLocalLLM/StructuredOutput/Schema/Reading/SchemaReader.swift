/// Reads the keywords of schemas, following references and putting together what has to fit at once.
struct SchemaReader: Sendable {
    typealias Part = SchemaDocument.Part

    static let maximumMembers = 1_000

    var document: SchemaDocument
    /// The machines of the patterns that were read.
    var patterns: [String: TextAutomaton] = [:]
    private var shapes: [SchemaConjunction: SchemaShape] = [:]
    private var expansions: [SchemaConjunction: SchemaConjunction] = [:]

    init(_ schema: LLMJSONValue) throws(SchemaFailure) {
        document = try SchemaDocument(schema)
    }

    /// What the members of `conjunction` say together.
    mutating func shape(of conjunction: SchemaConjunction) throws(SchemaFailure) -> SchemaShape {
        let conjunction = try expanded(conjunction)
        if let known = shapes[conjunction] { return known }
        var shape = SchemaShape()
        for member in conjunction.members {
            switch member {
            case .schema(let part): if document[part] == .bool(false) { shape.isImpossible = true }
            case .keywords(let part):
                shape.sources.append(part)
                try readKeywords(of: part, into: &shape)
            case .alternatives(let array, let isExclusive): shape.alternatives.append((array, isExclusive))
            case .key(let key): shape.required.append(key)
            }
        }
        shapes[conjunction] = shape
        return shape
    }

    /// The schemas in an array of schemas.
    mutating func schemas(in array: Part) throws(SchemaFailure) -> [Part] {
        guard let count = document[array].arrayValue?.count, count > 0 else {
            throw failure(array, "is no list of schemas")
        }
        var parts: [Part] = []
        for index in 0..<count { parts += try [schema(String(index), of: array)] }
        return parts
    }

    /// The schema under a key.
    mutating func schema(_ token: String, of part: Part) throws(SchemaFailure) -> Part {
        guard let child = document.child(token, of: part) else { throw failure(part, "has no \(token)") }
        switch document[child] {
        case .bool, .object: return child
        default: throw failure(child, "is no schema")
        }
    }

    func failure(_ part: Part, _ reason: String) -> SchemaFailure {
        SchemaFailure(document.place(of: part), reason)
    }

    /// A failure of a keyword of a schema.
    func failure(_ part: Part, _ keyword: String, _ problem: String) -> SchemaFailure {
        SchemaFailure(document.place(of: part), "\(keyword) \(problem)")
    }
}

extension SchemaReader {
    private enum Step {
        case enter(SchemaConjunction.Member)
        case leave(Part)
    }

    /// The members with references and `allOf` replaced by what they lead to.
    ///
    /// Conjunctions that ask for the same have the same expansion, apart from the order.
    mutating func expanded(_ conjunction: SchemaConjunction) throws(SchemaFailure) -> SchemaConjunction {
        if let known = expansions[conjunction] { return known }
        let expansion = SchemaConjunction(try expandedMembers(conjunction))
        expansions[conjunction] = expansion
        return expansion
    }

    private mutating func expandedMembers(
        _ conjunction: SchemaConjunction
    ) throws(SchemaFailure) -> [SchemaConjunction.Member] {
        var result: [SchemaConjunction.Member] = []
        var isOpen: [Part: Bool] = [:]
        var pending = conjunction.members.reversed().map { Step.enter($0) }
        while let step = pending.popLast() {
            switch step {
            case .leave(let part): isOpen[part] = false
            case .enter(.schema(let part)):
                guard document[part].objectValue != nil else {
                    if document[part] == .bool(false) { result.append(.schema(part)) }
                    continue
                }
                if isOpen[part] == true { throw failure(part, "$ref", "leads back to where it stands") }
                guard isOpen[part] == nil else { continue }
                isOpen[part] = true
                pending.append(.leave(part))
                pending += try members(of: part).reversed().map { Step.enter($0) }
            case .enter(let member): result.append(member)
            }
            guard result.count + pending.count <= Self.maximumMembers else {
                throw failure(SchemaDocument.root, "the schema combines too many schemas at one place")
            }
        }
        return result
    }

    /// What a schema asks for, references first.
    private mutating func members(of part: Part) throws(SchemaFailure) -> [SchemaConjunction.Member] {
        try checkKeywords(of: part)
        var members: [SchemaConjunction.Member] = []
        if let reference = document[part].value(forKey: "$ref") {
            guard case .string(let text) = reference else { throw failure(part, "$ref", "is no text") }
            members.append(.schema(try target(of: text, at: part)))
        }
        if let array = document.child("allOf", of: part) {
            members += try schemas(in: array).map { .schema($0) }
        }
        if hasOwnKeywords(part) { members.append(.keywords(part)) }
        for (keyword, isExclusive) in [("anyOf", false), ("oneOf", true)] {
            guard let array = document.child(keyword, of: part) else { continue }
            _ = try schemas(in: array)
            members.append(.alternatives(array, isExclusive: isExclusive))
        }
        return members
    }

    /// Whether a schema says anything beside what other schemas it leads to.
    private func hasOwnKeywords(_ part: Part) -> Bool {
        document[part].objectValue?.keys.contains { key in
            SchemaKeyword(key) == .enforced && !["$ref", "allOf", "anyOf", "oneOf"].contains(key)
        } ?? false
    }

    private mutating func target(of reference: String, at part: Part) throws(SchemaFailure) -> Part {
        let target = try document.target(of: reference, at: part)
        switch document[target] {
        case .bool, .object: return target
        default: throw failure(part, "$ref", "'\(SchemaDocument.excerpt(reference))' leads to no schema")
        }
    }

    private func checkKeywords(of part: Part) throws(SchemaFailure) {
        for (key, value) in document[part].objectValue?.pairs ?? [] {
            switch SchemaKeyword(key) {
            case .enforced where key == "uniqueItems" && value != .bool(false):
                throw failure(part, key, "is not supported")
            case .enforced, .annotation: continue
            case .unsupported: throw failure(part, key, "is not supported")
            case .unknown: throw failure(part, SchemaDocument.excerpt(key), "is no keyword that is known")
            }
        }
    }
}
