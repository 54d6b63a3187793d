/// Checks JSON values against JSON schemas.
///
/// It knows `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`, `prefixItems`,
/// `minItems`, `maxItems`, `minLength`, `maxLength`, `pattern`, `minimum`, `maximum`, `exclusiveMinimum`,
/// `exclusiveMaximum`, `anyOf`, `oneOf`, `allOf`, `$ref` within the schema, and the formats `date`, `time`, `date-time`
/// and `uuid`. Keywords that it does not know, and values of keywords that make no sense, restrict nothing.
public enum LLMJSONSchemaValidator {
    /// What is wrong with a value, one sentence each, each beginning with the JSON pointer of the place.
    ///
    /// A double without a fraction is an integer. Lengths of strings are counted in Unicode scalars. At most 32
    /// violations are listed; schemas and values that lead too deep or are too much work are violations themselves.
    ///
    /// - Parameters:
    ///   - value: The value to check.
    ///   - schema: The schema, an object or a boolean; anything else restricts nothing.
    /// - Returns: The violations in the order of the value; empty if the value is valid.
    public static func violations(of value: LLMJSONValue, against schema: LLMJSONValue) -> [String] {
        var validation = SchemaValidation(root: schema)
        validation.check(value, against: schema)
        return validation.violations
    }
}
