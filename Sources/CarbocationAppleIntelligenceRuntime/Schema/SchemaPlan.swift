/// A JSON schema as far as the system can be told about it.
///
/// A value of the package, from which the schema of the framework is made in one step.
indirect enum SchemaPlan: Sendable, Hashable {
    /// A member of an object.
    struct Property: Sendable, Hashable {
        var name: String
        var description: String?
        var schema: SchemaPlan
        var isOptional: Bool
    }

    case string
    case integer(minimum: Int?, maximum: Int?)
    case number(minimum: Double?, maximum: Double?)
    case boolean
    /// One of these texts; the name is unique within the whole plan.
    case choice(name: String, [String])
    case array(of: SchemaPlan, minimumCount: Int?, maximumCount: Int?)
    /// An object with these members, in this order; the name is unique within the whole plan.
    case object(name: String, description: String?, [Property])
    /// Any value, where a schema says more than can be expressed.
    case any
}
