import CLlama

/// A run of text and whether it comes from a user, a model or a tool.
enum Part {
    case template(String)
    case input(String)

    var bytes: [UInt8] {
        switch self {
        case .template(let text), .input(let text): Array(text.utf8)
        }
    }

    var isInput: Bool {
        if case .input = self { true } else { false }
    }
}

extension Model {
    func tokens(_ parts: Part...) throws -> [Int32] {
        try tokens(
            parts.flatMap(\.bytes), parts.map { cl_segment(length: $0.bytes.count, is_input: $0.isInput) })
    }

    func tokens(input bytes: [UInt8]) throws -> [Int32] {
        try tokens(bytes, [cl_segment(length: bytes.count, is_input: true)])
    }

    func tokens(_ bytes: [UInt8], _ segments: [cl_segment], capacity: Int? = nil) throws -> [Int32] {
        var tokens = [Int32](repeating: -1, count: capacity ?? bytes.count + 16)
        var count = 0
        try bytes.withUnsafeBytes { bytes in
            let text = bytes.assumingMemoryBound(to: CChar.self)
            try check(
                cl_tokenize(
                    raw, text.baseAddress, text.count, segments, segments.count, &tokens, tokens.count, &count))
        }
        return Array(tokens.prefix(count))
    }

    func bytes(_ token: Int32, rendersSpecial: Bool = true) -> [UInt8] {
        let count = cl_token_bytes(raw, token, rendersSpecial, nil, 0)
        var bytes = [CChar](repeating: 0, count: count)
        guard cl_token_bytes(raw, token, rendersSpecial, &bytes, count) == count else { return [] }
        return bytes.map { UInt8(bitPattern: $0) }
    }

    func bytes(_ tokens: [Int32]) -> [UInt8] {
        tokens.flatMap { bytes($0) }
    }

    func special(_ text: String) -> Int32 { cl_token_special(raw, text) }
    func isControl(_ token: Int32) -> Bool { cl_token_is_control(raw, token) }
    func endsGeneration(_ token: Int32) -> Bool { cl_token_ends_generation(raw, token) }

    func text(_ tokens: [Int32]) -> String {
        String(decoding: bytes(tokens), as: UTF8.self)
    }
}
