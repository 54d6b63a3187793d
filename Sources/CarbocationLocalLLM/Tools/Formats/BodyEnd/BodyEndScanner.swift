/// Finds where a call's body ends, byte by byte, in constant time for each.
///
/// For syntaxes without a closing marker, whose end only their own brackets tell, and to know whether a closing marker
/// stands inside a string of the body and so closes nothing.
package struct BodyEndScanner: Sendable {
    /// A way to write calls.
    package enum Syntax: Sendable, Hashable {
        /// One JSON object or list, also with single-quoted strings.
        case json
        /// `call:name{…}`.
        case gemma
        /// `[name(…), …]`, or one `name(…)`.
        case pythonic
        /// What follows an opening bracket in prose up to the bracket's end: `name({…})]`.
        case bracketed
    }

    private var machine: any BodyEndScanning

    package init(_ syntax: Syntax) {
        machine =
            switch syntax {
            case .json: JSONEndScanner()
            case .gemma: GemmaEndScanner()
            case .pythonic: PythonicEndScanner()
            case .bracketed: BracketedEndScanner()
            }
    }

    /// Takes the body's next byte.
    ///
    /// - Returns: Whether the body is complete with this byte; never true again after it was once.
    package mutating func scan(_ byte: UInt8) -> Bool {
        machine.scan(byte)
    }

    /// Whether a closing marker would count here: false inside a string.
    ///
    /// Bytes of a closing marker do not change it, so that it may be asked before or after them.
    package var acceptsCloser: Bool { machine.acceptsCloser }

    /// Whether the text so far is no beginning of such a body, which therefore never ends.
    package var isBroken: Bool { machine.isBroken }
}

/// The scanner of one syntax; see ``BodyEndScanner``.
protocol BodyEndScanning: Sendable {
    mutating func scan(_ byte: UInt8) -> Bool
    var acceptsCloser: Bool { get }
    var isBroken: Bool { get }
}
