/// A way to write calls with a tag for each argument, whose value is plain text.
///
/// White space between tags is left out of account. Texts may be empty where a syntax has no such tag.
package struct TaggedCallSyntax: Sendable, Hashable {
    /// Opens a function.
    ///
    /// Without a prefix the name comes first in the body and ends at the first tag or line end.
    package var function: OpeningTag
    /// Closes a function: `</function>`.
    package var functionClose: String
    /// Opens a parameter.
    package var parameter: OpeningTag
    /// Stands between a parameter's opening tag and its value: `<arg_value>`.
    package var valuePrefix: String
    /// Closes a parameter's value: `</parameter>`.
    package var valueClose: String
    /// Texts that may stand between tags and say nothing, such as separators and wrappers of all arguments.
    package var fillers: [String]
    /// Whether a value may stand in `<![CDATA[…]]>`, which then is no part of it.
    package var hasCharacterData: Bool

    package init(
        function: OpeningTag,
        functionClose: String = "",
        parameter: OpeningTag,
        valuePrefix: String = "",
        valueClose: String,
        fillers: [String] = [],
        hasCharacterData: Bool = false
    ) {
        self.function = function
        self.functionClose = functionClose
        self.parameter = parameter
        self.valuePrefix = valuePrefix
        self.valueClose = valueClose
        self.fillers = fillers.filter { !$0.isEmpty }
        self.hasCharacterData = hasCharacterData
    }

    /// Qwen3-Coder, Seed-OSS, Step 3.5 and others: `<function=name><parameter=key>value</parameter></function>`.
    package static let functionTags = Self(
        function: OpeningTag(prefix: "<function=", end: ">"), functionClose: "</function>",
        parameter: OpeningTag(prefix: "<parameter=", end: ">"), valueClose: "</parameter>")

    /// MiniMax M2: `<invoke name="name"><parameter name="key">value</parameter></invoke>`.
    package static let invokeTags = invokeTags(namespace: "")

    /// DeepSeek V3.2 and V4: the tags of MiniMax with `｜DSML｜` before each name and `string="true"` after a text's key.
    package static let deepSeekMarkup = invokeTags(namespace: "｜DSML｜")

    /// GLM, Spark and Laguna: `name<arg_key>key</arg_key><arg_value>value</arg_value>`.
    package static let argumentPairs = argumentPairs(suffix: "")

    /// MiniCPM 5: `<function name="name"><param name="key">value</param></function>`.
    package static let namedFunctionTags = Self(
        function: OpeningTag(prefix: "<function name=\"", nameEnd: "\"", end: ">"), functionClose: "</function>",
        parameter: OpeningTag(prefix: "<param name=\"", nameEnd: "\"", end: ">"), valueClose: "</param>",
        hasCharacterData: true)

    /// Kimi K3: `<|open|>call tool="name" index="1"<|sep|><|open|>argument key="key" type="string"<|sep|>…`.
    package static let separatedTags = Self(
        function: OpeningTag(prefix: "<|open|>call tool=\"", nameEnd: "\"", end: "<|sep|>"),
        functionClose: "<|close|>call<|sep|>",
        parameter: OpeningTag(prefix: "<|open|>argument key=\"", nameEnd: "\"", end: "<|sep|>"),
        valueClose: "<|close|>argument<|sep|>")

    /// Tags of the kind of GLM's with a suffix after each name, as Hunyuan has them.
    package static func argumentPairs(suffix: String) -> Self {
        Self(
            function: OpeningTag(prefix: "", end: ""),
            parameter: OpeningTag(prefix: "<arg_key\(suffix)>", end: "</arg_key\(suffix)>"),
            valuePrefix: "<arg_value\(suffix)>", valueClose: "</arg_value\(suffix)>",
            fillers: ["<tool_sep\(suffix)>"])
    }

    /// Tags of the kind of MiniMax's with a namespace before each name, such as `atem:`.
    package static func invokeTags(namespace: String) -> Self {
        Self(
            function: OpeningTag(prefix: "<\(namespace)invoke name=\"", nameEnd: "\"", end: ">"),
            functionClose: "</\(namespace)invoke>",
            parameter: OpeningTag(prefix: "<\(namespace)parameter name=\"", nameEnd: "\"", end: ">"),
            valueClose: "</\(namespace)parameter>")
    }
}
