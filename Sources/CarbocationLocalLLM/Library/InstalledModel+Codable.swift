extension InstalledModel: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, displayName, filename, sizeBytes, contextLength, quantization, source, hfRepo, hfFilename, sha256
        case artifacts, storageLocation, installedAt
    }

    /// Decodes a model; missing and wrongly typed fields are replaced where a replacement makes sense.
    ///
    /// - Parameter decoder: What to read from.
    /// - Throws: `DecodingError` when there is no valid id, or no name of the weights.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func field<Value: Decodable>(_ key: CodingKeys) -> Value? {
            (try? container.decodeIfPresent(Value.self, forKey: key)) ?? nil
        }
        var fields = InstalledModelFields()
        fields.id = field(.id)
        fields.displayName = field(.displayName)
        fields.filename = field(.filename)
        fields.sizeBytes = field(.sizeBytes)
        fields.contextLength = field(.contextLength)
        fields.quantization = field(.quantization)
        fields.source = field(.source)
        fields.hfRepo = field(.hfRepo)
        fields.hfFilename = field(.hfFilename)
        fields.sha256 = field(.sha256)
        fields.artifacts = field(.artifacts)
        fields.storageLocation = field(.storageLocation)
        fields.installedAt = field(.installedAt)
        guard let model = InstalledModel(fields) else {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "The model has no valid id or names no weights.")
            throw DecodingError.dataCorrupted(context)
        }
        self = model
    }

    /// Encodes the model without what its file recommends for sampling.
    ///
    /// - Parameter encoder: What to write to.
    /// - Throws: The encoder's own errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(displayName, forKey: .displayName)
        try container.encode(filename, forKey: .filename)
        try container.encode(sizeBytes, forKey: .sizeBytes)
        try container.encode(contextLength, forKey: .contextLength)
        try container.encodeIfPresent(quantization, forKey: .quantization)
        try container.encode(source, forKey: .source)
        try container.encodeIfPresent(hfRepo, forKey: .hfRepo)
        try container.encodeIfPresent(hfFilename, forKey: .hfFilename)
        try container.encodeIfPresent(sha256, forKey: .sha256)
        try container.encode(artifacts, forKey: .artifacts)
        try container.encode(storageLocation, forKey: .storageLocation)
        try container.encode(installedAt, forKey: .installedAt)
    }
}
