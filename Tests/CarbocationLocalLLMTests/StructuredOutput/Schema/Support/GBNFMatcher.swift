@testable import CarbocationLocalLLM

/// Matches texts against a grammar by following every way at once, as the engine does.
final class GBNFMatcher {
    /// What is still to come: a part, and then the rest, where 0 is nothing.
    private struct Stack: Hashable {
        var part: GBNFPart
        var rest: Int
    }

    private struct Way: Hashable {
        var ranges: [ClosedRange<UInt32>]
        var rest: Int
    }

    private let rules: [String: GBNFPart]
    private var stacks: [Stack?] = [nil]
    private var numbers: [Stack: Int] = [:]
    private var known: [Int: (ways: Set<Way>, mayEnd: Bool)] = [:]
    /// The most ways that were open at once.
    private(set) var mostWays = 0

    init(_ grammar: String) throws {
        rules = try GBNFReader.rules(of: grammar)
    }

    /// The grammar of a schema.
    convenience init(schema: String) throws {
        try self.init(JSONSchemaGrammar.gbnf(for: LLMJSONValue(jsonString: schema)))
    }

    func matches(_ text: String) -> Bool {
        var current: Set<Int> = [number(.rule("root"), 0)]
        for scalar in text.unicodeScalars {
            var next: Set<Int> = []
            for stack in current {
                for way in advanced(stack).ways where way.ranges.contains(where: { $0.contains(scalar.value) }) {
                    next.insert(way.rest)
                }
            }
            current = next
            mostWays = max(mostWays, current.count)
            if current.isEmpty { return false }
        }
        return current.contains { advanced($0).mayEnd }
    }

    private func number(_ part: GBNFPart, _ rest: Int) -> Int {
        let stack = Stack(part: part, rest: rest)
        if let known = numbers[stack] { return known }
        stacks.append(stack)
        numbers[stack] = stacks.count - 1
        return stacks.count - 1
    }

    private func advanced(_ start: Int) -> (ways: Set<Way>, mayEnd: Bool) {
        if let known = known[start] { return known }
        var seen: Set<Int> = [start]
        var pending = [start]
        var result: (ways: Set<Way>, mayEnd: Bool) = ([], false)
        while let index = pending.popLast() {
            guard let stack = stacks[index] else {
                result.mayEnd = true
                continue
            }
            for next in steps(stack, &result.ways) where seen.insert(next).inserted { pending.append(next) }
        }
        known[start] = result
        return result
    }

    private func steps(_ stack: Stack, _ ways: inout Set<Way>) -> [Int] {
        let rest = stack.rest
        switch stack.part {
        case .text(let scalars):
            guard let first = scalars.first else { return [rest] }
            let after = scalars.count == 1 ? rest : number(.text(Array(scalars.dropFirst())), rest)
            ways.insert(Way(ranges: [first.value...first.value], rest: after))
            return []
        case .set(let ranges):
            ways.insert(Way(ranges: ranges, rest: rest))
            return []
        case .rule(let name): return rules[name].map { [number($0, rest)] } ?? []
        case .choice(let parts): return parts.map { number($0, rest) }
        case .sequence(let parts): return [parts.reversed().reduce(rest) { number($1, $0) }]
        case .repetition(let part, let minimum, let maximum):
            if maximum == 0 { return [rest] }
            let more = GBNFPart.repetition(part, max(0, minimum - 1), maximum.map { $0 - 1 })
            let taken = number(part, number(more, rest))
            return minimum > 0 ? [taken] : [rest, taken]
        }
    }
}
