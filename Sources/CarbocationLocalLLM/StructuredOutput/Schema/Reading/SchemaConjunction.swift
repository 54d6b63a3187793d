/// What a value has to fit all at once.
struct SchemaConjunction: Hashable, Sendable {
    enum Member: Hashable, Sendable {
        /// A whole schema.
        case schema(SchemaDocument.Part)
        /// A schema without its references and combinations, which are members of their own.
        case keywords(SchemaDocument.Part)
        /// An `anyOf` or `oneOf`, by its array.
        case alternatives(SchemaDocument.Part, isExclusive: Bool)
        /// Objects have this key, although no schema says so.
        case key(String)
    }

    private(set) var members: [Member]

    init(_ members: [Member]) {
        var seen: Set<Member> = []
        self.members = members.filter { seen.insert($0).inserted }
    }

    init(_ part: SchemaDocument.Part) {
        self.init([.schema(part)])
    }

    /// Fits everything.
    static let anything = SchemaConjunction([])

    func adding(_ member: Member) -> SchemaConjunction {
        SchemaConjunction(members + [member])
    }
}
