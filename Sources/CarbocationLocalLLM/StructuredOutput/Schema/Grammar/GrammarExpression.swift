/// What a rule of a grammar consists of.
indirect enum GrammarExpression: Hashable, Sendable {
    /// Matches nothing at all, not even the empty text.
    case never
    case literal(String)
    case scalars(ScalarSet)
    case rule(Int)
    case sequence([GrammarExpression])
    case choice([GrammarExpression])
    /// Of a literal, a set of scalars or a rule, at most ``GrammarRules/maximumRepetition`` times or without end.
    case repetition(GrammarExpression, minimum: Int, maximum: Int?)

    static let empty = GrammarExpression.sequence([])

    /// The parts one after the other, with literals side by side joined.
    static func joined(_ parts: [GrammarExpression]) -> GrammarExpression {
        var result: [GrammarExpression] = []
        for part in parts {
            switch (result.last, part) {
            case (_, .never): return .never
            case (_, .literal("")): continue
            case (_, .sequence(let inner)): result = Self.appending(inner, to: result)
            default: result = Self.appending([part], to: result)
            }
        }
        return result.count == 1 ? result[0] : .sequence(result)
    }

    /// Any of the parts, each once.
    static func any(_ parts: [GrammarExpression]) -> GrammarExpression {
        var seen: Set<GrammarExpression> = []
        var result: [GrammarExpression] = []
        for part in parts {
            if case .choice(let inner) = part {
                result += inner.filter { seen.insert($0).inserted }
            } else if part != .never, seen.insert(part).inserted {
                result.append(part)
            }
        }
        switch result.count {
        case 0: return .never
        case 1: return result[0]
        default: return .choice(result)
        }
    }

    /// The expression, or nothing in its place.
    static func optional(_ part: GrammarExpression) -> GrammarExpression {
        part == .never ? .empty : .any([part, .empty])
    }

    private static func appending(
        _ parts: [GrammarExpression], to list: [GrammarExpression]
    ) -> [GrammarExpression] {
        var list = list
        for part in parts {
            if case .literal(let text) = part, case .literal(let before)? = list.last {
                list[list.count - 1] = .literal(before + text)
            } else {
                list.append(part)
            }
        }
        return list
    }
}
