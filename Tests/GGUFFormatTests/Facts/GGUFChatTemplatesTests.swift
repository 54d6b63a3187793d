import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF chat templates")
struct GGUFChatTemplatesTests {
    private func templates(_ keyValues: [(String, GGUFBuilder.Value)]) throws -> GGUFChatTemplates {
        var builder = GGUFBuilder()
        for (key, value) in keyValues { builder.add(key, value) }
        return try builder.facts().chatTemplates
    }

    @Test("GG-8 F13: with tools the tool template, without the standard one; names without text are ignored")
    func toolUse() throws {
        let templates = try templates([
            ("tokenizer.chat_template", .string("D")), ("tokenizer.chat_template.tool_use", .string("T")),
            ("tokenizer.chat_templates", .strings(["tool_use", "rag"])),
        ])
        #expect(templates.standard == "D")
        #expect(templates.named == ["tool_use": "T"])
        #expect(templates.template(offeringTools: true) == "T")
        #expect(templates.template(offeringTools: false) == "D")
    }

    @Test("F13: the order of keys makes no difference, and the first is not the standard")
    func order() throws {
        let templates = try templates([
            ("tokenizer.chat_templates", .strings(["rag", "tool_use"])), ("tokenizer.chat_template.rag", .string("R")),
            ("tokenizer.chat_template.tool_use", .string("T")),
        ])
        #expect(templates.named == ["rag": "R", "tool_use": "T"])
        #expect(templates.standard == nil)
        #expect(templates.template(offeringTools: true) == "T")
        #expect(templates.template(offeringTools: false) == nil)
    }

    @Test("GG-8: texts that are not listed, repeated names and wrong types are ignored")
    func oddities() throws {
        let templates = try templates([
            ("tokenizer.chat_template", .string("D")), ("tokenizer.chat_template.hidden", .string("H")),
            ("tokenizer.chat_template.a", .string("A")), ("tokenizer.chat_template.b", .uint32(1)),
            ("tokenizer.chat_templates", .strings(["a", "a", "b", "", "tool_use"])),
        ])
        #expect(templates.named == ["a": "A"])
        #expect(templates.template(offeringTools: true) == "D")
    }

    @Test(
        "a list that is no array of strings names nothing",
        arguments: [
            GGUFBuilder.Value.string("a"), .int32s([1]), .array(type: 9, []),
        ])
    func wrongList(list: GGUFBuilder.Value) throws {
        let templates = try templates([
            ("tokenizer.chat_templates", list), ("tokenizer.chat_template.a", .string("A")),
        ])
        #expect(templates.named.isEmpty)
    }

    @Test("a list longer than other arrays may be is read whole")
    func longList() throws {
        let names = (0..<200).map { "n\($0)" }
        var keyValues = names.map { ("tokenizer.chat_template.\($0)", GGUFBuilder.Value.string($0)) }
        keyValues.append(("tokenizer.chat_templates", .strings(names)))
        #expect(try templates(keyValues).named.count == 200)
    }
}
