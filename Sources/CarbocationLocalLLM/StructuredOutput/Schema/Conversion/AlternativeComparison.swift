/// Finds out whether values that are generated for one schema can fit another one.
///
/// Generated values are fewer than those that fit: objects have no keys but the declared ones unless others are allowed
/// in so many words, and keywords that speak of one type imply it.
struct AlternativeComparison {
    private static let maximumAlternatives = 64
    private static let maximumDepth = 8
    private static let maximumWork = 20_000

    private(set) var converter: SchemaConverter
    private var work = 0

    init(converter: SchemaConverter) {
        self.converter = converter
    }

    /// The branches, with a key required that tells them all apart, if there is one.
    mutating func distinguished(_ branches: [SchemaConjunction]) throws -> [SchemaConjunction] {
        guard branches.count <= Self.maximumAlternatives, let first = branches.first else { return branches }
        for key in try converter.reader.shape(of: first).declaredKeys {
            if try isDistinguishing(key, branches) { return branches.map { $0.adding(.key(key)) } }
        }
        return branches
    }

    /// Two branches that a generated value might both fit.
    mutating func firstOverlap(of branches: [SchemaConjunction]) throws -> (one: Int, other: Int)? {
        let shapes = try branches.map { branch in try converter.reader.shape(of: branch) }
        // Listed values were compared with the other alternatives one by one.
        let open = shapes.indices.filter { shapes[$0].values == nil }
        for one in open {
            for other in shapes.indices where other != one {
                guard open.count <= Self.maximumAlternatives else { return (one, other) }
                if try !excludes(branches[one], branches[other], depth: 0) { return (min(one, other), max(one, other)) }
            }
        }
        return nil
    }

    private mutating func isDistinguishing(_ key: String, _ branches: [SchemaConjunction]) throws -> Bool {
        var values: [SchemaConjunction] = []
        for branch in branches {
            let shape = try converter.reader.shape(of: branch)
            guard shape.types ?? shape.impliedTypes == [.object], shape.alternatives.isEmpty, shape.values == nil,
                shape.declaredKeys.contains(key)
            else { return false }
            values.append(shape.member(key))
        }
        for one in values.indices {
            for other in values.indices where other != one {
                guard try excludes(values[one], values[other], depth: 1) else { return false }
            }
        }
        return true
    }

    /// Whether it is certain that no value generated for `generated` fits `schema`.
    private mutating func excludes(
        _ generated: SchemaConjunction, _ schema: SchemaConjunction, depth: Int
    ) throws -> Bool {
        work += 1
        guard depth < Self.maximumDepth, work <= Self.maximumWork else { return false }
        let one = try converter.reader.shape(of: generated)
        let other = try converter.reader.shape(of: schema)
        if one.isImpossible || other.isImpossible { return true }
        if one.values != nil {
            let values = try converter.fittingValues(of: one)
            return try values.allSatisfy { value in try !converter.fits(value, schema) }
        }
        if other.values != nil {
            let values = try converter.fittingValues(of: other)
            return try values.allSatisfy { value in try !converter.fits(value, generated) }
        }
        if let alternatives = one.alternatives.first {
            return try eachAlternative(alternatives.array, of: one, depth) { comparison, branch in
                try comparison.excludes(branch, schema, depth: depth + 1)
            }
        }
        if let alternatives = other.alternatives.first {
            return try eachAlternative(alternatives.array, of: other, depth) { comparison, branch in
                try comparison.excludes(generated, branch, depth: depth + 1)
            }
        }
        return try excludesEachType(one, other, depth)
    }

    private mutating func eachAlternative(
        _ array: SchemaDocument.Part, of shape: SchemaShape, _ depth: Int,
        _ holds: (inout AlternativeComparison, SchemaConjunction) throws -> Bool
    ) throws -> Bool {
        let base = shape.members(without: array)
        for part in try converter.reader.schemas(in: array) {
            guard try holds(&self, SchemaConjunction(base + [.schema(part)])) else { return false }
        }
        return true
    }
}

extension AlternativeComparison {
    private mutating func excludesEachType(
        _ generated: SchemaShape, _ schema: SchemaShape, _ depth: Int
    ) throws -> Bool {
        let all: Set<SchemaType> = [.null, .boolean, .number, .string, .array, .object]
        var shape = SchemaShape()
        shape.restrict(to: generated.generatedTypes ?? all)
        shape.restrict(to: schema.types ?? all)
        for type in shape.types ?? [] {
            let isExcluded: Bool
            switch type {
            case .null, .boolean: isExcluded = false
            case .integer: isExcluded = try excludesNumbers(generated, schema, isInteger: true)
            case .number: isExcluded = try excludesNumbers(generated, schema, isInteger: false)
            case .string: isExcluded = try excludesTexts(generated, schema)
            case .array: isExcluded = try excludesArrays(generated, schema, depth)
            case .object: isExcluded = try excludesObjects(generated, schema, depth)
            }
            guard isExcluded else { return false }
        }
        return true
    }

    private func excludesNumbers(_ one: SchemaShape, _ other: SchemaShape, isInteger: Bool) throws -> Bool {
        var range = one.range
        range.narrow(to: other.range)
        if range.isEmpty { return true }
        do { return try NumberAutomaton.accepting(range, isInteger: isInteger).acceptsNothing } catch { return false }
    }

    private func excludesTexts(_ one: SchemaShape, _ other: SchemaShape) throws -> Bool {
        let minimum = max(one.text.minimum, other.text.minimum)
        let maximum = [one.text.maximum, other.text.maximum].compactMap(\.self).min()
        if let maximum, maximum < minimum { return true }
        guard let first = try converter.automaton(of: one), let second = try converter.automaton(of: other) else {
            let limited = try converter.automaton(of: one) ?? converter.automaton(of: other)
            do { return try limited?.limited(toLengths: minimum, maximum).acceptsNothing ?? false } catch {
                return false
            }
        }
        do { return try first.intersection(second).acceptsNothing } catch { return false }
    }

    private mutating func excludesArrays(_ one: SchemaShape, _ other: SchemaShape, _ depth: Int) throws -> Bool {
        if let maximum = one.maximumCount, maximum < other.minimumCount { return true }
        if let maximum = other.maximumCount, maximum < one.minimumCount { return true }
        let listed = (one.elements + other.elements).map(\.first.count).max() ?? 0
        for place in 0..<min(max(one.minimumCount, other.minimumCount), listed + 1) {
            if try excludes(one.element(at: place), other.element(at: place), depth: depth + 1) { return true }
        }
        return false
    }

    private mutating func excludesObjects(_ one: SchemaShape, _ other: SchemaShape, _ depth: Int) throws -> Bool {
        let keys = Set(one.declaredKeys)
        if one.isClosed, !other.required.allSatisfy(keys.contains) { return true }
        for key in one.required + other.required {
            if try excludes(one.member(key), other.member(key), depth: depth + 1) { return true }
        }
        return false
    }
}
