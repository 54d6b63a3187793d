/// Metadata that would end the process inside the model runtime, which states its expectations as assertions.
///
/// Missing keys and wrong types are not looked at: the runtime reports those as ordinary errors.
struct LoadGuards {
    static let maximumLayers = 512
    static let maximumExperts = 1024
    static let ropeScalingTypes: Set<String> = ["none", "linear", "yarn", "longrope"]

    private static let tokensKey = "tokenizer.ggml.tokens"
    fileprivate static let names: Set<String> = ["general.architecture", "split.no", tokensKey]
    fileprivate static let suffixes = [
        ".block_count", ".nextn_predict_layers", ".expert_count", ".expert_used_count", ".expert_group_count",
        ".expert_group_used_count", ".rope.scaling.type",
    ]

    let header: GGUFHeader

    static func looks(at key: String) -> Bool {
        names.contains(key) || suffixes.contains { key.hasSuffix($0) }
    }

    func check(_ cursor: inout ByteCursor) throws(GGUFReaderError) {
        try checkSplitNumber()
        try checkTokens(&cursor)
        guard let architecture = header["general.architecture"]?.string, architecture != "clip" else { return }
        let dimensions = ModelDimensions(header: header, architecture: architecture)
        try checkLayers(dimensions)
        try checkExperts(dimensions)
        if let scaling = header["\(architecture).rope.scaling.type"]?.string, !Self.ropeScalingTypes.contains(scaling) {
            throw .malformed("its rope scaling type \(scaling.quotedForMessage) is unknown.")
        }
    }

    /// The position of a further part is read without a look at its type.
    private func checkSplitNumber() throws(GGUFReaderError) {
        guard let number = header["split.no"] else { return }
        guard case .uint16 = number else { throw .malformed("its split.no is not a 16-bit unsigned number.") }
    }

    private func checkLayers(_ dimensions: ModelDimensions) throws(GGUFReaderError) {
        guard let layers = dimensions.layers else { return }
        guard (1...Self.maximumLayers).contains(layers) else {
            throw .malformed("it has \(layers) layers; 1 to \(Self.maximumLayers) are possible.")
        }
        if let predicted = dimensions.predictedLayers, predicted > layers {
            throw .malformed("it has \(predicted) prediction layers but only \(layers) layers in all.")
        }
    }

    private func checkExperts(_ dimensions: ModelDimensions) throws(GGUFReaderError) {
        guard dimensions.layers != nil else { return }
        let (experts, used) = (dimensions.experts, dimensions.usedExperts)
        guard experts <= Self.maximumExperts else {
            throw .malformed("it has \(experts) experts; at most \(Self.maximumExperts) are possible.")
        }
        let groups = dimensions.expertGroups
        let usedFits = experts > 0 ? (1...experts).contains(used) : used == 0
        let groupsFit = experts > 0 ? groups < experts : groups == 0
        let splitFits = groups <= 1 || experts.isMultiple(of: groups) && (1..<groups).contains(dimensions.usedGroups)
        guard usedFits, groupsFit, splitFits else {
            throw .malformed("its numbers of experts, used experts and expert groups contradict each other.")
        }
    }

    /// Two tokens of the same text would end the process.
    private func checkTokens(_ cursor: inout ByteCursor) throws(GGUFReaderError) {
        guard let tokens = header[Self.tokensKey]?.array, tokens.elementType == .string else { return }
        try cursor.seek(to: tokens.offset)
        // Keyed 64-bit hashes stand for the texts: a quarter of a million strings would take many times the memory.
        var seen: Set<Int> = []
        seen.reserveCapacity(Int(min(tokens.count, 1 << 20)))
        var index = 0
        try cursor.forEachString(tokens.count, field: "token length") { (text) throws(GGUFReaderError) in
            defer { index += 1 }
            guard seen.insert(Self.hash(ofToken: text, at: index)).inserted else {
                throw .malformed("its token \(index) \(String(quoting: text)) occurs twice in the vocabulary.")
            }
        }
    }

    /// The hash of a token's text as the runtime sees it: it ends texts at a zero byte and names the empty ones.
    private static func hash(ofToken text: UnsafeRawBufferPointer, at index: Int) -> Int {
        var hasher = Hasher()
        let length = text.firstIndex(of: 0) ?? text.count
        if length > 0 {
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: text[..<length]))
        } else {
            Array("[EMPTY_\(index)]".utf8).withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        return hasher.finalize()
    }
}

/// The numbers of layers and experts that a model states; numbers of another type than the runtime reads are left out.
private struct ModelDimensions {
    let layers: Int?
    let predictedLayers: Int?
    private(set) var experts: Int
    private(set) var usedExperts: Int
    let expertGroups: Int
    let usedGroups: Int

    init(header: GGUFHeader, architecture: String) {
        func number(_ key: String) -> Int? {
            if case .uint32(let number) = header["\(architecture).\(key)"] { Int(exactly: number) } else { nil }
        }
        layers = number("block_count")
        predictedLayers = number("nextn_predict_layers")
        experts = number("expert_count") ?? 0
        let perLayer = header["\(architecture).expert_used_count"]?.array.map(Self.largest)
        usedExperts = number("expert_used_count") ?? perLayer ?? 0
        expertGroups = number("expert_group_count") ?? 0
        usedGroups = number("expert_group_used_count") ?? 0
        // These two architectures state a single expert in models that have none.
        if ["hunyuan-dense", "hunyuan_vl"].contains(architecture), experts <= 1 {
            experts = 0
            usedExperts = 0
        }
    }

    /// The largest element as the runtime reads it: unsigned, whatever its sign was meant to be.
    ///
    /// Elements that were not kept count as too large. A list of a wrong length the runtime refuses itself.
    private static func largest(of array: GGUFArray) -> Int {
        guard let elements = array.elements else { return .max }
        return elements.compactMap { $0.integer.map { Int(UInt32(truncatingIfNeeded: $0)) } }.max() ?? 0
    }
}

extension GGUFCapture {
    /// Adds the keys that the guards look at.
    mutating func addLoadGuardKeys() {
        names.formUnion(LoadGuards.names)
        suffixes += LoadGuards.suffixes
        maximumElements = max(maximumElements, UInt64(LoadGuards.maximumLayers))
    }
}
