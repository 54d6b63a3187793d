/// Gives the calls of a conversation ids that are unique within it.
public struct LLMToolCallIDAllocator: Sendable {
    private var used: Set<String> = []
    private var lastNumber = 0

    /// Creates an allocator that has given no ids yet.
    public init() {}

    /// Creates an allocator for a conversation in which these ids exist.
    package init(reserving ids: some Sequence<String>) {
        used.formUnion(ids)
    }

    /// The calls of one turn with their execution ids set.
    ///
    /// A raw id that is not blank and was never used becomes the execution id. Every other call gets the next free
    /// `call_N`, where the ids that other calls of the batch bring along are not free. Blank raw ids become nil.
    ///
    /// - Parameter calls: The calls in order; the execution ids they have are not looked at.
    /// - Returns: The same calls in the same order.
    public mutating func materialize(_ calls: [LLMToolCall]) -> [LLMToolCall] {
        let ids = executionIDs(forRawIDs: calls.map(\.rawID))
        return zip(calls, ids).map { call, id in
            var call = call
            call.rawID = Self.cleaned(call.rawID)
            call.executionID = id
            return call
        }
    }

    /// The execution ids for one turn's raw ids, see ``materialize(_:)``.
    package mutating func executionIDs(forRawIDs rawIDs: [String?]) -> [String] {
        // Fresh raw ids come first, so that no number is given that a later call of the batch brings along.
        let fresh = rawIDs.map { rawID -> String? in
            guard let id = Self.cleaned(rawID), used.insert(id).inserted else { return nil }
            return id
        }
        return fresh.map { $0 ?? nextFreeID() }
    }

    /// The raw id, or nil if it is blank.
    package static func cleaned(_ rawID: String?) -> String? {
        guard let rawID, rawID.contains(where: { !$0.isWhitespace }) else { return nil }
        return rawID
    }

    private mutating func nextFreeID() -> String {
        while true {
            lastNumber += 1
            let id = "call_\(lastNumber)"
            if used.insert(id).inserted { return id }
        }
    }
}
