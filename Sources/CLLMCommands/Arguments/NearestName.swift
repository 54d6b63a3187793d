/// Finds what somebody who mistyped a name may have meant.
enum NearestName {
    /// The candidate with the fewest edits from `name`, if they are few for its length; the first among equals.
    static func of(_ name: String, among candidates: [String]) -> String? {
        let limit = max(1, (name.count + 1) / 3)
        let measured = candidates.map { (name: $0, edits: edits(from: name, to: $0)) }
        guard let nearest = measured.min(by: { $0.edits < $1.edits }), nearest.edits <= limit else { return nil }
        return nearest.name
    }

    /// How many characters must be inserted, deleted or replaced.
    private static func edits(from source: String, to target: String) -> Int {
        let target = Array(target)
        var row = Array(0...target.count)
        for (index, character) in source.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in target.indices {
                let replaced = diagonal + (target[column] == character ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[target.count]
    }
}
