extension String {
    /// This name in quotation marks, fit for an error message: short, on one line, without control characters.
    ///
    /// Names come from files that anybody can make, and messages end up in terminals and alerts.
    var quotedForMessage: String {
        let limit = 64
        let shown = String(String.UnicodeScalarView(unicodeScalars.prefix(limit).map { $0.isPlain ? $0 : "\u{FFFD}" }))
        return "\"\(shown)\(unicodeScalars.count > limit ? "…" : "")\""
    }

    init(quoting bytes: some Collection<UInt8>) {
        self = String(decoding: bytes.prefix(1024), as: UTF8.self).quotedForMessage
    }
}

extension Unicode.Scalar {
    /// Whether the scalar stays in its place: no control, formatting or line-separating character.
    fileprivate var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
