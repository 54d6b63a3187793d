/// What a template compares a variable with, and what it takes when the variable is not given.
///
/// The variable counts under longer names that end in its own too, and as an attribute, because templates copy it.
struct JinjaVariableUsage {
    private typealias Token = JinjaLexer.Token

    /// The texts of `==` comparisons and of `in` lists.
    private(set) var comparedTexts: [String] = []
    /// The texts that stand in for the missing variable.
    private(set) var defaultTexts: [String] = []
    /// The truth value that stands in for the missing variable.
    private(set) var defaultFlag: Bool?

    private let variable: String

    init(of variable: String, in tags: [[JinjaLexer.Token]]) {
        self.variable = variable
        var previous: [Token] = []
        for tag in tags {
            for index in tag.indices where isVariable(tag[index]) { readUse(at: index, in: tag) }
            readAssignment(tag, after: previous)
            previous = tag
        }
    }

    private func isVariable(_ token: Token?) -> Bool {
        guard case .name(let name) = token else { return false }
        return name.split(separator: ".").contains { $0.hasSuffix(variable) }
    }

    /// Reads what follows and precedes one use of the variable.
    private mutating func readUse(at index: Int, in tag: [Token]) {
        var rest = tag[(index + 1)...]
        skipFilters(&rest)
        if tag[..<index].last == .symbol("=="), case .text(let text)? = tag[..<index].dropLast().last {
            comparedTexts.append(text)
        }
        switch rest.popFirst() {
        case .symbol("=="):
            if case .text(let text)? = rest.first { comparedTexts.append(text) }
        case .name("in"):
            readList(rest)
        case .name("not"):
            if rest.popFirst() == .name("in") { readList(rest) }
        case .name("or"):
            readDefault(rest.first)
        case .name("is"):
            readTest(rest, isNegated: tag[..<index].last == .name("not"))
        case .name("if"):
            readConditional(rest)
        default:
            break
        }
    }

    /// Steps over calls, filters and closing brackets after the variable, noting the default of a `default` filter.
    private mutating func skipFilters(_ rest: inout ArraySlice<Token>) {
        while let token = rest.first {
            switch token {
            case .symbol("|"):
                rest = rest.dropFirst()
                guard case .name(let filter)? = rest.popFirst() else { return }
                guard rest.first == .symbol("(") else { continue }
                if filter == "default" || filter == "d" { readDefault(rest.dropFirst().first) }
                skipBrackets(&rest)
            case .symbol("("):
                skipBrackets(&rest)
            case .symbol(")"):
                rest = rest.dropFirst()
            default:
                return
            }
        }
    }

    private func skipBrackets(_ rest: inout ArraySlice<Token>) {
        var depth = 0
        repeat {
            switch rest.popFirst() {
            case .symbol("("): depth += 1
            case .symbol(")"): depth -= 1
            case nil: return
            default: break
            }
        } while depth > 0
    }

    private mutating func readList(_ rest: ArraySlice<Token>) {
        guard rest.first == .symbol("(") || rest.first == .symbol("[") else { return }
        for token in rest.dropFirst() {
            switch token {
            case .text(let text): comparedTexts.append(text)
            case .symbol(","): continue
            default: return
            }
        }
    }

    private mutating func readDefault(_ token: Token?) {
        switch token {
        case .text(let text): defaultTexts.append(text)
        case .name("true"), .name("True"): defaultFlag = defaultFlag ?? true
        case .name("false"), .name("False"): defaultFlag = defaultFlag ?? false
        default: break
        }
    }

    /// Reads `x is undefined or …`, where the condition holds without the variable.
    private mutating func readTest(_ rest: ArraySlice<Token>, isNegated: Bool) {
        var rest = rest
        var holdsWhenMissing = isNegated
        if rest.first == .name("not") {
            holdsWhenMissing.toggle()
            rest = rest.dropFirst()
        }
        switch rest.popFirst() {
        case .name("undefined"): holdsWhenMissing.toggle()
        case .name("defined"): break
        default: return
        }
        if holdsWhenMissing, rest.first == .name("or") { defaultFlag = defaultFlag ?? true }
    }

    /// Reads `x if x is defined else default`.
    private mutating func readConditional(_ rest: ArraySlice<Token>) {
        guard isVariable(rest.first), let end = rest.firstIndex(of: .name("else")) else { return }
        readDefault(rest[(end + 1)...].first)
    }

    /// Reads `set x = default`, in a tag that asks whether the variable is missing or right after one.
    private mutating func readAssignment(_ tag: [Token], after previous: [Token]) {
        guard tag.count >= 4, let set = tag.firstIndex(of: .name("set")), set + 3 < tag.count else { return }
        guard isVariable(tag[set + 1]), tag[set + 2] == .symbol("=") else { return }
        let condition = tag[(set + 4)...]
        let isDefault = condition.first == .name("if") ? asksForMissing(condition) : asksForMissing(previous[...])
        if isDefault { readDefault(tag[set + 3]) }
    }

    private func asksForMissing(_ tokens: ArraySlice<Token>) -> Bool {
        guard let start = tokens.firstIndex(where: { isVariable($0) }) else { return false }
        let isNegated = tokens[..<start].last == .name("not")
        var rest = tokens[(start + 1)...]
        guard rest.popFirst() == .name("is") else { return isNegated }
        let first = rest.popFirst()
        if first == .name("not") { return !isNegated && rest.first == .name("defined") }
        return isNegated ? first == .name("defined") : first == .name("undefined") || first == .name("none")
    }
}
