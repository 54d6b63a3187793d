/// What the metadata of a file says about its model, in the terms of the application.
///
/// A key that is missing or has the wrong type leaves its fact nil; the other facts stay.
package struct GGUFModelFacts: Sendable, Equatable {
    package let version: UInt32
    package let isBigEndian: Bool
    package let architecture: String?

    /// What kind of file it is, from `general.type`: a "model", which can chat, an "adapter", a projector "mmproj".
    package let generalType: String?

    package let name: String?
    package let tokenizerModel: String?

    /// The context the model was trained for, in tokens.
    package let trainingContextLength: Int?

    /// How many layers predict further tokens; above 0 the file supports multi-token prediction.
    package let nextNPredictLayers: Int?

    /// `general.file_type` as stored.
    package let fileType: Int?

    /// The name of the quantisation, such as `Q4_K_M`.
    package let quantization: String?

    /// The position of this part in a split model, from 0, and the number of parts.
    package let splitIndex: Int?
    package let splitCount: Int?

    /// The number of tensors in all parts of a split model.
    package let splitTensorCount: Int?

    package let chatTemplates: GGUFChatTemplates
    package let sampling: GGUFSamplingFacts

    /// - Parameters:
    ///   - header: a header read with ``GGUFCapture/modelFacts`` or more.
    ///   - fileName: where the name of the quantisation comes from when the header does not tell.
    package init(header: GGUFHeader, fileName: String? = nil) {
        version = header.version
        isBigEndian = header.isBigEndian
        architecture = header["general.architecture"]?.string
        generalType = header["general.type"]?.string
        name = header["general.name"]?.string
        tokenizerModel = header["tokenizer.ggml.model"]?.string
        trainingContextLength = Self.trainingContextLength(header)
        nextNPredictLayers = Self.values(header, suffix: Self.nextNSuffix).compactMap(\.integer).max()
        fileType = header["general.file_type"]?.integer
        quantization = GGUFQuantization.name(fileType: fileType, fileName: fileName)
        splitIndex = header["split.no"]?.integer
        splitCount = header["split.count"]?.integer
        splitTensorCount = header["split.tensors.count"]?.integer
        chatTemplates = GGUFChatTemplates(header: header)
        sampling = GGUFSamplingFacts(header: header)
    }

    fileprivate static let contextSuffix = ".context_length"
    fileprivate static let nextNSuffix = ".nextn_predict_layers"

    /// The value of the model's own key; without one, of the only key there is, since no other can be meant.
    private static func trainingContextLength(_ header: GGUFHeader) -> Int? {
        let own = header["general.architecture"]?.string.flatMap { header["\($0)\(contextSuffix)"]?.wideInteger }
        if let own { return own > 0 ? own : nil }
        let others = values(header, suffix: contextSuffix)
        guard others.count == 1, let length = others[0].wideInteger, length > 0 else { return nil }
        return length
    }

    private static func values(_ header: GGUFHeader, suffix: String) -> [GGUFValue] {
        header.entries.filter { $0.key.utf8.count > suffix.utf8.count && $0.key.hasSuffix(suffix) }.map(\.value)
    }
}

extension GGUFCapture {
    /// The keys that ``GGUFModelFacts`` is made of.
    package static let modelFacts = GGUFCapture(
        names: [
            "general.architecture", "general.type", "general.name", "general.file_type", "tokenizer.ggml.model",
            "split.no", "split.count", "split.tensors.count", GGUFChatTemplates.defaultKey,
        ],
        prefixes: [GGUFChatTemplates.namedPrefix, GGUFSamplingFacts.prefix],
        suffixes: [GGUFModelFacts.contextSuffix, GGUFModelFacts.nextNSuffix],
        wholeArrays: [GGUFChatTemplates.namesKey])
}
