import CarbocationLocalLLM

extension WebAddress {
    /// The address that a redirect from this one leads to.
    ///
    /// - Parameter location: The value of the header `Location`, as the server sent it.
    /// - Returns: The address, which nobody has checked yet.
    /// - Throws: `unsupported_redirect`, or `blocked_address` for an unusual spelling of one.
    func redirected(to location: String) throws(ToolFailure) -> WebAddress {
        do {
            return try WebAddress(absolute(location))
        } catch {
            guard error.code != "blocked_address" else { throw error }
            throw ToolFailure(
                code: "unsupported_redirect",
                "The page redirects to \(LLMJSONValue.string(location).quoted), which cannot be loaded. "
                    + "Try another address.")
        }
    }

    /// The text of an address that is given as seen from this one.
    private func absolute(_ location: String) -> String {
        let reference = location.trimmed.replacing(" ", with: "%20").prefix { $0 != "#" }
        if Self.schemePrefix(of: reference) != nil { return String(reference) }
        if reference.hasPrefix("//") { return (isEncrypted ? "https:" : "http:") + reference }
        let path = target.prefix { $0 != "?" }
        if reference.isEmpty { return text }
        if reference.hasPrefix("?") { return origin + path + reference }
        let query = reference.drop { $0 != "?" }
        let newPath = reference.prefix { $0 != "?" }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return origin + Self.withoutDots(newPath.hasPrefix("/") ? newPath : folder + newPath) + query
    }

    /// A path with its `.` and `..` worked out.
    private static func withoutDots(_ path: Substring) -> String {
        var segments: [Substring] = []
        let all = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in all.enumerated() {
            let isLast = index == all.count - 1
            switch segment {
            case ".": if isLast { segments.append("") }
            case "..":
                if !segments.isEmpty { segments.removeLast() }
                if isLast { segments.append("") }
            default: segments.append(segment)
            }
        }
        return "/" + segments.joined(separator: "/")
    }
}

extension String {
    /// The text without white space and control characters around it.
    var trimmed: String {
        let isBlank = { (scalar: Unicode.Scalar) in
            scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        }
        let scalars = unicodeScalars.drop(while: isBlank)
        guard let last = scalars.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(scalars[...last])
    }
}
