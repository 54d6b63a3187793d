import GGUFFormat

/// What a library needs to know from the header of a file, small enough to be kept for thousands of files.
struct ModelHeader: Sendable, Hashable {
    /// Whether the file begins like a GGUF file; without that nothing else is known.
    var isGGUF: Bool
    var architecture: String?
    var generalType: String?
    var contextLength: Int?
    /// The quantization as the header states it, not as the file name does.
    var quantization: String?
    var splitCount: Int?
    var supportsMTP = false
    var sampling = LLMSamplingDefaults.providerDefault

    static let foreign = ModelHeader(isGGUF: false)

    /// What is recommended for sampling; nil when nothing is.
    var samplingDefaults: LLMSamplingDefaults? { sampling == .providerDefault ? nil : sampling }
}

extension ModelHeader {
    private static let capture: GGUFCapture = {
        // Chat templates are large, and listing models does not need them.
        var capture = GGUFCapture.modelFacts
        capture.names.remove("tokenizer.chat_template")
        capture.prefixes.removeAll { $0.hasPrefix("tokenizer.") }
        capture.wholeArrays = []
        return capture
    }()

    /// Reads a header.
    ///
    /// A file that is damaged behind its first bytes is one that nothing is known of. Nil when it cannot be opened.
    init?(at path: String, calls: some FileCalls) {
        do throws(GGUFReaderError) {
            let header = try GGUFFile.header(of: try calls.model(at: path), capture: Self.capture)
            self.init(GGUFModelFacts(header: header))
        } catch .notGGUF {
            self = .foreign
        } catch .unreadable {
            return nil
        } catch {
            self.init(isGGUF: true)
        }
    }

    private init(_ facts: GGUFModelFacts) {
        self.init(
            isGGUF: true, architecture: facts.architecture, generalType: facts.generalType,
            contextLength: facts.trainingContextLength, quantization: facts.quantization,
            splitCount: facts.splitCount, supportsMTP: (facts.nextNPredictLayers ?? 0) > 0,
            sampling: LLMSamplingDefaults(facts.sampling))
    }
}
