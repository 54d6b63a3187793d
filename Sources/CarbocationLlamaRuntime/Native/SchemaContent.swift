import CLlama

/// What the value of a JSON schema's keyword holds.
enum SchemaContent: Hashable, Sendable {
    /// A schema, a list of schemas, or nothing that could be mistaken for one.
    case schema
    /// Schemas under names of any kind, keywords included.
    case namedSchemas
    /// JSON that may look like a schema and is none.
    case data

    init(of keyword: String) {
        switch cl_schema_content_of(keyword) {
        case CL_SCHEMA_DATA: self = .data
        case CL_SCHEMA_NAMED_SCHEMAS: self = .namedSchemas
        default: self = .schema
        }
    }
}
