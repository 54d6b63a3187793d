public import Foundation

/// Why a change to the library was refused.
///
/// Failures of the file system itself, such as a full disk, are errors of their own kind with a description.
public enum ModelLibraryError: Error, LocalizedError, Sendable, Equatable {
    /// A file that is to be installed does not exist.
    case sourceFileMissing(URL)
    /// There is something already where the model would go.
    case destinationExists(URL)
    /// The description of the model with this name could not be written.
    case metadataWriteFailed(String)
    /// The file of this name is no GGUF file.
    case notAGGUF(String)
    /// None of the files is a model.
    case missingPrimaryArtifact
    /// The place of a file may lie outside the model's folder, or two files have the same place.
    case unsafeArtifactPath(String)
    /// The model of this name belongs to another program.
    case readOnlyModel(String)

    /// A sentence that says what is wrong and what helps.
    public var errorDescription: String? {
        switch self {
        case .sourceFileMissing(let url):
            "The file \(url.lastPathComponent) does not exist. Choose it again, with all parts of the model."
        case .destinationExists(let url):
            "There is already something at \(url.path). Move it away and try again."
        case .metadataWriteFailed(let name):
            "The description of \(name) could not be written. Check that the disk is not full or read-only."
        case .notAGGUF(let name):
            "\(name) is not a GGUF model file. Choose a file that ends in .gguf and was downloaded completely."
        case .missingPrimaryArtifact:
            "There is no model among the files. Choose the model's weights, not only files that go with them."
        case .unsafeArtifactPath(let path):
            "\(path) is not a place for a file of a model. Choose a plain file name that is used once."
        case .readOnlyModel(let name):
            "\(name) belongs to another program and is read-only here. Change or delete it in that program."
        }
    }
}
