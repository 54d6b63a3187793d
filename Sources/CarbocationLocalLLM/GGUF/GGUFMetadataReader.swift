public import Foundation
import GGUFFormat

/// Reads what the header of a GGUF file says.
///
/// What was read is kept and returned again as long as the file's size and modification time stay the same.
public enum GGUFMetadataReader {
    /// Reads the header of the file at `url`.
    ///
    /// Blocks while it reads the header, which takes a few milliseconds for a large vocabulary. The memory used does
    /// not depend on any number in the file.
    ///
    /// - Parameter url: The file; of a split model, the part whose header is meant.
    /// - Returns: What the header says.
    /// - Throws: ``GGUFReaderError`` when the file cannot be read or breaks the format.
    public static func metadata(at url: URL) throws -> GGUFModelMetadata {
        try GGUFMetadataCache.shared.metadata(at: url)
    }

    /// The context the model was trained for, in tokens; nil when the file does not say or cannot be read.
    public static func trainingContextLength(at url: URL) -> Int? {
        (try? metadata(at: url))?.trainingContextLength
    }

    /// Whether the model can predict several tokens at once; false for a file that cannot be read.
    public static func supportsMTPAcceleration(at url: URL) -> Bool {
        (try? metadata(at: url))?.supportsMTPAcceleration ?? false
    }
}
