/// What the converter makes of a keyword.
enum SchemaKeyword: Hashable, Sendable {
    /// It shapes the grammar.
    case enforced
    /// It says nothing about which values are valid, or holds parts that others refer to.
    case annotation
    /// It would restrict values in a way that no grammar here does.
    case unsupported
    case unknown

    init(_ name: String) {
        if Self.enforcedNames.contains(name) {
            self = .enforced
        } else if Self.annotationNames.contains(name) || name.hasPrefix("x-") {
            self = .annotation
        } else {
            self = Self.unsupportedNames.contains(name) ? .unsupported : .unknown
        }
    }

    private static let enforcedNames: Set = [
        "type", "enum", "const", "properties", "required", "additionalProperties", "items", "prefixItems",
        "additionalItems", "minItems", "maxItems", "minLength", "maxLength", "pattern", "format", "minimum", "maximum",
        "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "anyOf", "oneOf", "allOf", "$ref", "uniqueItems",
    ]

    private static let annotationNames: Set = [
        "$schema", "$id", "id", "$anchor", "$comment", "$vocabulary", "$defs", "definitions", "title", "description",
        "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType",
        "contentSchema",
        // Of OpenAPI and of editors. `nullable` is left out of account: without null a value is valid either way.
        "nullable", "discriminator", "xml", "externalDocs", "markdownDescription", "enumNames", "enumDescriptions",
        "propertyOrdering",
    ]

    private static let unsupportedNames: Set = [
        "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies", "patternProperties",
        "propertyNames", "minProperties", "maxProperties", "unevaluatedProperties", "unevaluatedItems", "contains",
        "minContains", "maxContains", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor",
    ]
}
