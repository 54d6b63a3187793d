/// Addresses of files on the Hub.
public enum HuggingFaceURL {
    /// Reads the address of a file, in any form that ``HuggingFaceModelReference/parse(_:endpoint:)`` understands.
    ///
    /// - Parameter text: What was typed or pasted.
    /// - Returns: The repository and the path of the file in it; nil when the text names no file.
    public static func parse(_ text: String) -> (repo: String, filename: String)? {
        guard let reference = HuggingFaceModelReference.parse(text), let file = reference.file else { return nil }
        return (reference.repo, file)
    }
}
