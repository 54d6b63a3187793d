extension GrammarRules {
    /// Removes the alternatives that no finite text can complete.
    mutating func prune() {
        let isProductive = productiveRules()
        for rule in expressions.indices {
            expressions[rule] = Self.pruned(expressions[rule], isProductive)
        }
    }

    /// A rule that is an alternative of itself, directly or through others that read nothing on the way.
    func unprogressiveRule() -> Int? {
        var state = Array(repeating: Visit.none, count: expressions.count)
        for start in expressions.indices where state[start] == .none {
            var path = [(rule: start, next: 0)]
            state[start] = .active
            while let (rule, next) = path.last {
                let alternatives = Self.bareRules(of: expressions[rule])
                guard next < alternatives.count else {
                    state[rule] = .done
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let target = alternatives[next]
                if state[target] == .active { return target }
                guard state[target] == .none else { continue }
                state[target] = .active
                path.append((target, 0))
            }
        }
        return nil
    }

    /// The rules that `start` needs, itself first.
    func reachable(from start: Int) -> [Int] {
        var isSeen = Array(repeating: false, count: expressions.count)
        isSeen[start] = true
        var pending = [start]
        while let rule = pending.popLast() {
            for other in Self.rules(in: expressions[rule]) where !isSeen[other] {
                isSeen[other] = true
                pending.append(other)
            }
        }
        return [start] + expressions.indices.filter { isSeen[$0] && $0 != start }
    }

    private enum Visit {
        case none, active, done
    }

    private func productiveRules() -> [Bool] {
        var users = Array(repeating: [Int](), count: expressions.count)
        for (rule, expression) in expressions.enumerated() {
            for used in Self.rules(in: expression) { users[used].append(rule) }
        }
        var result = Array(repeating: false, count: expressions.count)
        var pending = Array(expressions.indices)
        while let rule = pending.popLast() {
            guard !result[rule], Self.isProductive(expressions[rule], result) else { continue }
            result[rule] = true
            pending += users[rule].filter { !result[$0] }
        }
        return result
    }

    private static func isProductive(_ expression: GrammarExpression, _ rules: [Bool]) -> Bool {
        switch expression {
        case .never: false
        case .literal, .scalars: true
        case .rule(let rule): rules[rule]
        case .sequence(let parts): parts.allSatisfy { isProductive($0, rules) }
        case .choice(let parts): parts.contains { isProductive($0, rules) }
        case .repetition(let part, let minimum, _): minimum == 0 || isProductive(part, rules)
        }
    }

    private static func pruned(_ expression: GrammarExpression, _ rules: [Bool]) -> GrammarExpression {
        switch expression {
        case .never, .literal, .scalars: return expression
        case .rule(let rule): return rules[rule] ? expression : .never
        case .sequence(let parts): return .joined(parts.map { pruned($0, rules) })
        case .choice(let parts): return .any(parts.map { pruned($0, rules) })
        case .repetition(let part, let minimum, _):
            if pruned(part, rules) != .never { return expression }
            return minimum == 0 ? .empty : .never
        }
    }

    private static func rules(in expression: GrammarExpression) -> [Int] {
        switch expression {
        case .never, .literal, .scalars: []
        case .rule(let rule): [rule]
        case .sequence(let parts), .choice(let parts): parts.flatMap(rules)
        case .repetition(let part, _, _): rules(in: part)
        }
    }

    private static func bareRules(of expression: GrammarExpression) -> [Int] {
        switch expression {
        case .rule(let rule): [rule]
        case .choice(let parts): parts.flatMap(bareRules)
        case .never, .literal, .scalars, .sequence, .repetition: []
        }
    }
}
