/// What generated content has to follow.
@available(macOS 26.0, iOS 26.0, *)
public struct GenerationSchema: Sendable, CustomDebugStringConvertible {
    /// What is wrong with a schema.
    public enum SchemaError: Error {
        /// More about an error.
        public struct Context: Sendable {
            /// The text.
            public let debugDescription: String
        }

        /// Two types have the same name.
        case duplicateType(schema: String?, type: String, context: Context)
        /// Two members have the same name.
        case duplicateProperty(schema: String, property: String, context: Context)
        /// There is nothing to choose from.
        case emptyTypeChoices(schema: String, context: Context)
    }

    /// The schema for tests: `Root{name:string,age?:int[0...]}`.
    public let debugDescription: String

    /// Creates a schema.
    public init(root: DynamicGenerationSchema, dependencies: [DynamicGenerationSchema]) throws {
        var names: Set<String> = []
        for schema in [root] + dependencies { try schema.check(names: &names) }
        debugDescription = root.text
    }
}

/// A schema that is made while the program runs.
@available(macOS 26.0, iOS 26.0, *)
public struct DynamicGenerationSchema: Sendable {
    /// A member of an object.
    ///
    /// Not `Sendable`, as in the framework.
    public struct Property {
        fileprivate let name: String
        fileprivate let schema: DynamicGenerationSchema
        fileprivate let isOptional: Bool

        /// Creates a member.
        public init(
            name: String, description: String? = nil, schema: DynamicGenerationSchema, isOptional: Bool = false
        ) {
            self.name = name
            self.schema = schema
            self.isOptional = isOptional
        }
    }

    fileprivate let text: String
    private let name: String?
    private let memberNames: [String]
    private let parts: [DynamicGenerationSchema]
    private let isEmptyChoice: Bool

    private init(
        _ text: String, name: String? = nil, memberNames: [String] = [], parts: [DynamicGenerationSchema] = [],
        isEmptyChoice: Bool = false
    ) {
        self.text = text
        self.name = name
        self.memberNames = memberNames
        self.parts = parts
        self.isEmptyChoice = isEmptyChoice
    }

    /// An object.
    public init(name: String, description: String? = nil, properties: [Property]) {
        let members = properties.map { "\($0.name)\($0.isOptional ? "?" : ""):\($0.schema.text)" }
        self.init(
            "\(name){\(members.joined(separator: ","))}", name: name, memberNames: properties.map(\.name),
            parts: properties.map(\.schema))
    }

    /// One of some texts.
    public init(name: String, description: String? = nil, anyOf choices: [String]) {
        self.init("\(name)(\(choices.joined(separator: "|")))", name: name, isEmptyChoice: choices.isEmpty)
    }

    /// A list.
    public init(
        arrayOf itemSchema: DynamicGenerationSchema, minimumElements: Int? = nil, maximumElements: Int? = nil
    ) {
        let range = GenerationGuide<Int>.text(minimumElements, maximumElements)
        self.init("[\(itemSchema.text)]\(range)", parts: [itemSchema])
    }

    /// A value of a type.
    public init<Value>(type: Value.Type, guides: [GenerationGuide<Value>] = []) where Value: Generable {
        self.init("\(type)\(guides.map(\.text).joined())")
    }

    fileprivate func check(names: inout Set<String>) throws {
        let context = GenerationSchema.SchemaError.Context(debugDescription: "found while checking")
        if let name, !names.insert(name).inserted {
            throw GenerationSchema.SchemaError.duplicateType(schema: nil, type: name, context: context)
        }
        if isEmptyChoice {
            throw GenerationSchema.SchemaError.emptyTypeChoices(schema: name ?? "", context: context)
        }
        var members: Set<String> = []
        for member in memberNames where !members.insert(member).inserted {
            throw GenerationSchema.SchemaError.duplicateProperty(schema: name ?? "", property: member, context: context)
        }
        for part in parts { try part.check(names: &names) }
    }
}

/// What a value has to keep to; not `Sendable`, as in the framework.
@available(macOS 26.0, iOS 26.0, *)
public struct GenerationGuide<Value> {
    fileprivate let text: String

    fileprivate static func text<Bound>(_ minimum: Bound?, _ maximum: Bound?) -> String {
        guard minimum != nil || maximum != nil else { return "" }
        return "[\(minimum.map { "\($0)" } ?? "")...\(maximum.map { "\($0)" } ?? "")]"
    }
}

@available(macOS 26.0, iOS 26.0, *)
extension GenerationGuide where Value: Comparable {
    /// At least this.
    public static func minimum(_ value: Value) -> GenerationGuide<Value> {
        GenerationGuide(text: text(value, nil))
    }

    /// At most this.
    public static func maximum(_ value: Value) -> GenerationGuide<Value> {
        GenerationGuide(text: text(nil, value))
    }

    /// Between these.
    public static func range(_ range: ClosedRange<Value>) -> GenerationGuide<Value> {
        GenerationGuide(text: text(range.lowerBound, range.upperBound))
    }
}
