/// Calls in Python's syntax, or in JSON, which some models of such families fall back to.
struct CallListDecoder: ToolCallBodyDecoding {
    private static let builtInSuffix = ".call"

    /// Whether names are written as `name.call`.
    let namesEndInCall: Bool

    func decode(_ body: Substring) -> [ToolCallDecodingResult] {
        guard !isJSON(body) else { return JSONCallDecoder().decode(body) }
        return PythonicCallDecoder().decode(body).map { result in
            guard namesEndInCall, case .success(var call) = result, call.name.hasSuffix(Self.builtInSuffix) else {
                return result
            }
            call.name.removeLast(Self.builtInSuffix.count)
            return .success(call)
        }
    }

    private func isJSON(_ body: Substring) -> Bool {
        var bytes = body.utf8.lazy.filter { !$0.isSpacing }.makeIterator()
        let first = bytes.next()
        return first == UInt8(ascii: "{") || (first == UInt8(ascii: "[") && bytes.next() == UInt8(ascii: "{"))
    }
}
