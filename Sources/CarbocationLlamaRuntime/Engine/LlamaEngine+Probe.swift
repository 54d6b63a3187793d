import CarbocationLocalLLM
public import Foundation

extension LlamaEngine {
    /// The context a model was trained for, in tokens.
    ///
    /// Reads the file's header, or remembers it if the file was read before; nothing is loaded. Serves as the probe of
    /// a `ModelLibrary`.
    ///
    /// - Parameter url: A GGUF file, in the library or outside.
    /// - Returns: The number of tokens; nil when the file does not say or cannot be read.
    public static func probeTrainingContext(at url: URL) -> Int? {
        GGUFMetadataReader.trainingContextLength(at: url)
    }
}
