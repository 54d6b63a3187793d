/// A way to write calls as a name, something after it, and the arguments in JSON.
///
/// Markers may be empty where a syntax has none. The name also ends where an object begins.
package struct NamedJSONCallSyntax: Sendable, Hashable {
    /// How the text before the arguments tells name and id.
    package enum NameStyle: Sendable, Hashable {
        /// It is the name.
        case plain
        /// It is an id such as `functions.name:0`, which holds the name.
        case numbered
        /// It is `function`, and the name stands after the separator in a line of its own, or it is the name.
        case typed
    }

    /// Where a call's id stands, if it has one.
    package enum IdentifierPlace: Sendable, Hashable {
        case none
        /// Before the name, up to the marker.
        case beforeName(end: Marker)
        /// After the name and the marker.
        case afterName(start: Marker)
    }

    /// Stands before each name; it may be missing before the first.
    package var start: Marker
    package var nameStyle: NameStyle
    package var identifier: IdentifierPlace
    /// Stands between the name, or the id after it, and the arguments.
    package var separator: Marker
    /// Stands after the arguments.
    package var close: Marker
    /// Whether a call without anything after its separator has no arguments, and is not cut off.
    package var allowsMissingArguments: Bool

    package init(
        start: Marker = "",
        nameStyle: NameStyle = .plain,
        identifier: IdentifierPlace = .none,
        separator: Marker,
        close: Marker = "",
        allowsMissingArguments: Bool
    ) {
        self.start = start
        self.nameStyle = nameStyle
        self.identifier = identifier
        self.separator = separator
        self.close = close
        self.allowsMissingArguments = allowsMissingArguments
    }

    /// Mistral: `name[ARGS]{…}` and `name[CALL_ID]id[ARGS]{…}`, after `[TOOL_CALLS]`.
    package static let mistral = Self(
        start: "[TOOL_CALLS]", identifier: .afterName(start: "[CALL_ID]"), separator: "[ARGS]",
        allowsMissingArguments: false)

    /// Functionary 3.2: a line with `>>>name`, and the arguments below.
    package static let functionaryLines = Self(start: ">>>", separator: "\n", allowsMissingArguments: false)

    /// DeepSeek V3, R1 and V3.1.
    package static let deepSeek = Self(
        start: "<｜tool▁call▁begin｜>", nameStyle: .typed, separator: "<｜tool▁sep｜>", close: "<｜tool▁call▁end｜>",
        allowsMissingArguments: false)

    /// Kimi K2: `functions.name:0<|tool_call_argument_begin|>{…}`.
    package static let kimi = Self(
        start: "<|tool_call_begin|>", nameStyle: .numbered, separator: "<|tool_call_argument_begin|>",
        close: "<|tool_call_end|>", allowsMissingArguments: true)

    /// Solar Open: `id<|tool_call:name|>name<|tool_call:args|>{…}`.
    package static let solar = Self(
        start: "<|tool_call:begin|>", identifier: .beforeName(end: "<|tool_call:name|>"),
        separator: "<|tool_call:args|>", close: "<|tool_call:end|>", allowsMissingArguments: true)
}
