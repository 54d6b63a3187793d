/// How many lines of a chat came to nothing.
struct ChatTally: Sendable, Hashable {
    var turns = 0
    var failedTurns = 0
    var failedCommands = 0

    /// What is to be told at the end, nil when nothing failed.
    var problem: String? {
        let turns = failedTurns > 0 ? "\(failedTurns) of \(self.turns) turns" : nil
        let commands =
            switch failedCommands {
            case 0: nil as String?
            case 1: "1 command"
            default: "\(failedCommands) commands"
            }
        let failed = [turns, commands].compactMap(\.self)
        return failed.isEmpty ? nil : failed.joined(separator: " and ") + " failed."
    }
}
