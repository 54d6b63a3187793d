/// Turns a regular expression into the steps that ``SchemaPattern`` follows.
struct PatternCompiler {
    private var steps: [SchemaPattern.Step] = []

    /// The steps, or nil if there are too many.
    static func compile(_ node: PatternNode) -> [SchemaPattern.Step]? {
        var compiler = PatternCompiler()
        guard compiler.add(node), compiler.append(.match) != nil else { return nil }
        return compiler.steps
    }

    private mutating func append(_ step: SchemaPattern.Step) -> Int? {
        guard steps.count < SchemaPattern.maximumSize else { return nil }
        steps.append(step)
        return steps.count - 1
    }

    private mutating func add(_ node: PatternNode) -> Bool {
        switch node {
        case .scalar(let allowed): append(.scalar(allowed)) != nil
        case .start: append(.start) != nil
        case .end: append(.end) != nil
        case .wordBoundary(let isNegated): append(.wordBoundary(isNegated: isNegated)) != nil
        case .sequence(let nodes): nodes.allSatisfy { add($0) }
        case .alternatives(let nodes): addAlternatives(nodes[...])
        case .repetition(let inner, let minimum, let maximum):
            addRepetition(of: inner, minimum: minimum, maximum: maximum)
        }
    }

    private mutating func addAlternatives(_ nodes: ArraySlice<PatternNode>) -> Bool {
        var jumps: [Int] = []
        for (offset, node) in nodes.enumerated() {
            guard offset < nodes.count - 1 else {
                guard add(node) else { return false }
                continue
            }
            guard let split = append(.split(0, 0)), add(node), let jump = append(.jump(0)) else { return false }
            steps[split] = .split(split + 1, steps.count)
            jumps.append(jump)
        }
        for jump in jumps { steps[jump] = .jump(steps.count) }
        return true
    }

    private mutating func addRepetition(of node: PatternNode, minimum: Int, maximum: Int?) -> Bool {
        for _ in 0..<minimum { guard add(node) else { return false } }
        guard let maximum else {
            guard let split = append(.split(0, 0)), add(node), append(.jump(split)) != nil else { return false }
            steps[split] = .split(split + 1, steps.count)
            return true
        }
        var splits: [Int] = []
        for _ in 0..<(maximum - minimum) {
            guard let split = append(.split(0, 0)), add(node) else { return false }
            splits.append(split)
        }
        for split in splits { steps[split] = .split(split + 1, steps.count) }
        return true
    }
}
