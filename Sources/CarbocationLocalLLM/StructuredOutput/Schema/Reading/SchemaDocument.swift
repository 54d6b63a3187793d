/// A schema with numbers for those of its parts that were looked at.
///
/// Each part has one number, however it was reached, so that parts can be compared and remembered.
struct SchemaDocument: Sendable {
    struct Part: Hashable, Sendable {
        fileprivate let number: Int
    }

    private static let maximumDepth = 128
    private static let maximumValues = 100_000
    private static let maximumText = 1 << 20

    static let root = Part(number: 0)

    private struct Node {
        var value: LLMJSONValue
        var parent: Int
        var token: String
    }

    private struct Child: Hashable {
        var parent: Int
        var token: String
    }

    private var nodes: [Node]
    private var children: [Child: Int] = [:]

    /// Takes a schema, after a look at its size.
    init(_ schema: LLMJSONValue) throws(SchemaFailure) {
        switch schema {
        case .bool, .object: break
        default: throw SchemaFailure(JSONPointer(), "the schema is neither an object nor a boolean")
        }
        try Self.checkSize(of: schema)
        nodes = [Node(value: schema, parent: -1, token: "")]
    }

    subscript(part: Part) -> LLMJSONValue {
        nodes[part.number].value
    }

    /// The part under a key, or an element of an array.
    mutating func child(_ token: String, of part: Part) -> Part? {
        let child = Child(parent: part.number, token: token)
        if let known = children[child] { return Part(number: known) }
        guard let value = Self.member(token, of: self[part]) else { return nil }
        nodes.append(Node(value: value, parent: part.number, token: token))
        children[child] = nodes.count - 1
        return Part(number: nodes.count - 1)
    }

    func place(of part: Part) -> JSONPointer {
        var tokens: [String] = []
        var number = part.number
        while number > 0 {
            tokens.append(nodes[number].token)
            number = nodes[number].parent
        }
        return JSONPointer(tokens.reversed())
    }

    /// The part that a reference names.
    mutating func target(of reference: String, at part: Part) throws(SchemaFailure) -> Part {
        guard reference.isEmpty || reference.utf8.first == UInt8(ascii: "#") else {
            throw SchemaFailure(place(of: part), "$ref leads to another document, '\(Self.excerpt(reference))'")
        }
        guard let pointer = JSONPointer(fragment: reference.dropFirst()) else {
            throw SchemaFailure(place(of: part), "$ref '\(Self.excerpt(reference))' is no JSON pointer")
        }
        if isWithinOtherResource(part) {
            throw SchemaFailure(place(of: part), "$ref stands below an $id, which changes what it refers to")
        }
        var target = Self.root
        for token in pointer.tokens {
            guard let next = child(token, of: target) else {
                throw SchemaFailure(place(of: part), "$ref '\(Self.excerpt(reference))' leads to nothing")
            }
            target = next
        }
        return target
    }

    static func excerpt(_ text: String) -> String {
        text.count <= 100 ? text : text.prefix(100) + "…"
    }

    /// Whether an `$id` between the root and the part starts a document of its own.
    private func isWithinOtherResource(_ part: Part) -> Bool {
        var number = part.number
        while number > 0 {
            if case .string(let id)? = nodes[number].value.value(forKey: "$id"), !id.hasPrefix("#") { return true }
            number = nodes[number].parent
        }
        return false
    }

    private static func member(_ token: String, of value: LLMJSONValue) -> LLMJSONValue? {
        switch value {
        case .object(let object): return object[token]
        case .array(let elements):
            guard let index = Int(token), String(index) == token, elements.indices.contains(index) else { return nil }
            return elements[index]
        case .null, .bool, .int, .double, .string: return nil
        }
    }

    /// Refuses what is too deep for recursion or too large for a grammar.
    private static func checkSize(of schema: LLMJSONValue) throws(SchemaFailure) {
        var pending = [(value: schema, depth: 1)]
        var count = 0
        var text = 0
        while let (value, depth) = pending.popLast() {
            count += 1
            switch value {
            case .null, .bool, .int, .double: break
            case .string(let string): text += string.utf8.count
            case .array(let elements): pending += elements.map { ($0, depth + 1) }
            case .object(let object):
                text += object.keys.reduce(0) { $0 + $1.utf8.count }
                pending += object.pairs.map { ($0.value, depth + 1) }
            }
            let root = JSONPointer()
            guard depth <= maximumDepth else { throw SchemaFailure(root, "the schema is nested too deeply") }
            guard count <= maximumValues, text <= maximumText else {
                throw SchemaFailure(root, "the schema is too large")
            }
        }
    }
}
