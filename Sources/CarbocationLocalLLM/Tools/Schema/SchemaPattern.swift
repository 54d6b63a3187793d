/// A regular expression of a JSON schema, matched anywhere in a text.
///
/// All states are followed at once, so matching takes time in proportion to text and expression whatever these are; an
/// engine that backtracks can be made to run for ever by a model's output. Expressions with lookaround, back references
/// or Unicode properties, and those that expand to more than ``maximumSize`` steps, are not supported.
struct SchemaPattern {
    static let maximumSize = 2_000

    enum Step: Hashable {
        case scalar(PatternClass)
        case jump(Int)
        case split(Int, Int)
        case start, end
        case wordBoundary(isNegated: Bool)
        case match
    }

    private let steps: [Step]

    init?(_ pattern: String) {
        guard let node = PatternParser.parse(pattern), let steps = PatternCompiler.compile(node) else { return nil }
        self.steps = steps
    }

    func matches(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var threads = PatternThreads(capacity: steps.count)
        var next = PatternThreads(capacity: steps.count)
        for position in 0...scalars.count {
            // A new attempt begins at every position, because the expression may match anywhere.
            if follow(from: 0, at: position, in: scalars, &threads) { return true }
            guard position < scalars.count else { break }
            next.removeAll()
            for thread in threads.steps {
                guard case .scalar(let allowed) = steps[thread], allowed.contains(scalars[position]) else { continue }
                if follow(from: thread + 1, at: position + 1, in: scalars, &next) { return true }
            }
            swap(&threads, &next)
        }
        return false
    }

    /// Adds a step with all that can be reached from it without reading; true if the match is among it.
    private func follow(
        from first: Int, at position: Int, in scalars: [Unicode.Scalar], _ threads: inout PatternThreads
    ) -> Bool {
        var pending = [first]
        while let index = pending.popLast() {
            guard threads.insert(index) else { continue }
            switch steps[index] {
            case .match: return true
            case .jump(let target): pending.append(target)
            case .split(let one, let other): pending += [other, one]
            case .start: if position == 0 { pending.append(index + 1) }
            case .end: if position == scalars.count { pending.append(index + 1) }
            case .wordBoundary(let isNegated):
                if isBoundary(at: position, in: scalars) != isNegated { pending.append(index + 1) }
            case .scalar: break
            }
        }
        return false
    }

    private func isBoundary(at position: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let before = position > 0 && PatternClass.word.contains(scalars[position - 1])
        let after = position < scalars.count && PatternClass.word.contains(scalars[position])
        return before != after
    }
}

/// The steps that are active at one position, each once.
private struct PatternThreads {
    private(set) var steps: [Int] = []
    private var isActive: [Bool]

    init(capacity: Int) {
        isActive = Array(repeating: false, count: capacity)
    }

    mutating func insert(_ step: Int) -> Bool {
        guard !isActive[step] else { return false }
        isActive[step] = true
        steps.append(step)
        return true
    }

    mutating func removeAll() {
        for step in steps { isActive[step] = false }
        steps.removeAll(keepingCapacity: true)
    }
}
