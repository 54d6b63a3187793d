/// An element of a call: a value as text, or further elements.
struct CallElement {
    let name: String
    var children: [CallElement] = []
    /// The text between its tags, if there are no elements.
    var text = ""

    /// The element's members as an object; text that says nothing is left out.
    func object(by schema: ValueSchema?) -> LLMJSONValue {
        var object = LLMJSONObject()
        for child in children { object[child.name] = child.value(by: schema?.member(child.name)) }
        return .object(object)
    }

    private func value(by schema: ValueSchema?) -> LLMJSONValue? {
        guard !children.isEmpty else { return leaf(by: schema) }
        let types = schema?.types ?? []
        let isList = types.contains(.array) || (!types.contains(.object) && children.allSatisfy { $0.name == "item" })
        guard isList else { return object(by: schema) }
        return .array(children.map { $0.value(by: schema?.items) ?? .null })
    }

    /// A value without elements: nothing at all is an empty container where only that is allowed.
    private func leaf(by schema: ValueSchema?) -> LLMJSONValue? {
        let value = TextValue(text: text).typed(by: schema)
        guard value == nil, text.trimmed.isEmpty else { return value }
        switch schema?.types {
        case [.array]: return []
        case [.object]: return [:]
        default: return nil
        }
    }
}
