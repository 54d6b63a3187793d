/// How likely the tokens of drafts are accepted, by kind of draft, as far as a job has shown.
struct AcceptanceEstimate: Sendable {
    /// Verified tokens that what was expected at first counts as.
    static let weight = 4.0
    /// What a step leaves of the weight of earlier ones.
    static let memory = 0.94

    private struct Record {
        var accepted: Double
        var verified: Double
    }

    private var records: [DraftOutlook.Kind: Record] = [:]

    /// The probability that a token is accepted when all before it were.
    func probability(of kind: DraftOutlook.Kind) -> Double {
        let record = records[kind] ?? Self.first(kind)
        return record.accepted / record.verified
    }

    /// Takes how many of `drafted` tokens were accepted.
    mutating func note(_ kind: DraftOutlook.Kind, drafted: Int, accepted: Int) {
        var record = records[kind] ?? Self.first(kind)
        // Tokens behind the first wrong one say nothing.
        record.accepted = record.accepted * Self.memory + Double(accepted)
        record.verified = record.verified * Self.memory + Double(min(drafted, accepted + 1))
        records[kind] = record
    }

    private static func first(_ kind: DraftOutlook.Kind) -> Record {
        let probability =
            switch kind {
            case .shortMatch: 0.5
            case .match: 0.7
            case .longMatch: 0.85
            case .prediction: 0.7
            }
        return Record(accepted: probability * weight, verified: weight)
    }
}
