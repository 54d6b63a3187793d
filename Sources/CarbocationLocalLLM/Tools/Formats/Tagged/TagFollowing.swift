/// Decides by what follows a tag whether it can be one, from the last tag back to the first.
struct TagFollowing {
    private let cursor: ByteCursor
    private let fillers: [Marker]
    private let parameters: DeclaredParameters

    init(_ cursor: ByteCursor, fillers: [Marker], parameters: DeclaredParameters) {
        self.cursor = cursor
        self.fillers = fillers
        self.parameters = parameters
    }

    /// Sets by what each tag is followed, and which are structural.
    func mark(_ tags: inout [CallTag]) {
        for index in tags.indices.reversed() {
            let next = index + 1 < tags.count ? tags[index + 1] : nil
            let gap = tags[index].range.upperBound..<(next?.range.lowerBound ?? cursor.end)
            tags[index].isFollowed = isBlank(gap) && (next.map { canFollow($0, tags[index].kind) } ?? true)
            tags[index].isStructural = isStructural(tags[index])
        }
    }

    /// Whether nothing but white space and fillers stand in the range.
    func isBlank(_ range: Range<Int>) -> Bool {
        var cursor = ByteCursor(cursor.bytes, range)
        while true {
            cursor.skipWhiteSpace()
            if cursor.isAtEnd { return true }
            guard fillers.contains(where: { cursor.skip($0) }) else { return false }
        }
    }

    private func canFollow(_ next: CallTag, _ kind: CallTag.Kind) -> Bool {
        guard next.isStructural else { return false }
        switch kind {
        case .parameterOpening, .valueClosing: return true
        case .functionClosing: return next.kind == .functionOpening || next.kind == .functionClosing
        case .functionOpening: return next.kind != .valueClosing
        }
    }

    /// Opening tags need no more than a name, if it is one of a declared tool.
    private func isStructural(_ tag: CallTag) -> Bool {
        switch tag.kind {
        case .parameterOpening: true
        case .valueClosing, .functionClosing: tag.isFollowed
        case .functionOpening: tag.isFollowed || parameters.declaresTool(tag.name)
        }
    }
}
