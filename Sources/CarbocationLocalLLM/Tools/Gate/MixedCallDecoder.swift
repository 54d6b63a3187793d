/// Calls between `<tool_call>` and `</tool_call>`, where families put different things.
struct MixedCallDecoder: ToolCallBodyDecoding {
    private let functionTags: TaggedCallDecoder
    private let argumentPairs: TaggedCallDecoder

    init(tools: [LLMToolDefinition]) {
        functionTags = TaggedCallDecoder(.functionTags, tools: tools)
        argumentPairs = TaggedCallDecoder(.argumentPairs, tools: tools)
    }

    func decode(_ body: Substring) -> [ToolCallDecodingResult] {
        switch body.utf8.first(where: { !$0.isSpacing }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "`"): JSONCallDecoder().decode(body)
        case UInt8(ascii: "<"): functionTags.decode(body)
        default: argumentPairs.decode(body)
        }
    }
}
