/// How the largest context that works is found.
public enum LlamaContextCalibrationAlgorithm {
    /// Changes whenever what was found earlier cannot be compared any more; records of other versions are not used.
    public static var version: Int { 8 }

    /// The context sizes that may be tried, ascending.
    ///
    /// Doublings of 512 up to the training context, and the training context itself.
    ///
    /// - Parameter trainingContext: What the model was trained with, in tokens; 0 or below when it does not say, which
    ///   counts as ``LlamaContextPolicy/unknownTrainingFallback``.
    /// - Returns: The sizes in tokens, at least one.
    public static func tiers(upTo trainingContext: Int) -> [Int] {
        let bound = trainingContext > 0 ? trainingContext : LlamaContextPolicy.unknownTrainingFallback
        var tier = LlamaContextPolicy.minimumContext
        var tiers = [tier]
        while tier <= bound / 2 {
            tier *= 2
            tiers.append(tier)
        }
        if tier < bound { tiers.append(bound) }
        return tiers
    }

    /// The most probes that ``search(tiers:probe:)`` makes.
    ///
    /// - Parameter tierCount: The number of sizes.
    /// - Returns: The logarithm of the number to base 2, rounded up, and one more; at least 1.
    public static func maximumProbeCount(tierCount: Int) -> Int {
        guard tierCount > 1 else { return 1 }
        return Int.bitWidth - (tierCount - 1).leadingZeroBitCount + 1
    }

    /// Finds the largest context that works, given that all smaller ones work as well.
    ///
    /// The largest comes first: often it works and nothing else is to be tried, and where it does not, an estimate
    /// mostly tells so at no cost. The rest is halved with each probe.
    ///
    /// - Parameters:
    ///   - tiers: The sizes in tokens, in any order; those of 0 and below, and repetitions, are left out.
    ///   - probe: Tells whether a size works. Called with one size at a time, and never twice with the same.
    /// - Returns: The largest size that worked, nil when none did, and all probes in order.
    /// - Throws: What `probe` throws, and `CancellationError` when the task is cancelled between probes.
    public nonisolated(nonsending) static func search(
        tiers: [Int], probe: (Int) async throws -> Bool
    ) async throws -> (maximum: Int?, probes: [LlamaContextCalibrationProbe]) {
        let sizes = Set(tiers.filter { $0 > 0 }).sorted()
        var probes: [LlamaContextCalibrationProbe] = []
        var maximum: Int?
        // What was not ruled out: all before it work, all from its end on do not.
        var open = 0..<sizes.count
        while !open.isEmpty {
            try Task.checkCancellation()
            let index = probes.isEmpty ? open.upperBound - 1 : open.lowerBound + open.count / 2
            let succeeded = try await probe(sizes[index])
            probes.append(LlamaContextCalibrationProbe(context: sizes[index], succeeded: succeeded))
            if succeeded {
                maximum = sizes[index]
                open = index + 1..<open.upperBound
            } else {
                open = open.lowerBound..<index
            }
        }
        return (maximum, probes)
    }
}
