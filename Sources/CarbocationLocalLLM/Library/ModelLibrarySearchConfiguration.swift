public import Foundation

/// Where a library looks for models.
public struct ModelLibrarySearchConfiguration: Sendable, Hashable {
    /// Whether the models in the library's own folder are listed.
    public var includesManagedModels: Bool
    /// Hub caches of Hugging Face.
    public var externalHuggingFaceHubCacheDirectories: [URL]
    /// Model folders of Ollama.
    public var externalOllamaModelDirectories: [URL]
    /// Model folders of LM Studio.
    public var externalLMStudioModelDirectories: [URL]

    /// Creates a configuration; by default only the library's own folder is searched.
    public init(
        includesManagedModels: Bool = true,
        externalHuggingFaceHubCacheDirectories: [URL] = [],
        externalOllamaModelDirectories: [URL] = [],
        externalLMStudioModelDirectories: [URL] = []
    ) {
        self.includesManagedModels = includesManagedModels
        self.externalHuggingFaceHubCacheDirectories = externalHuggingFaceHubCacheDirectories
        self.externalOllamaModelDirectories = externalOllamaModelDirectories
        self.externalLMStudioModelDirectories = externalLMStudioModelDirectories
    }

    /// Only the library's own folder.
    public static var managedOnly: ModelLibrarySearchConfiguration { ModelLibrarySearchConfiguration() }

    /// Also the model folders of other programs that exist on this computer; on iOS there are none.
    ///
    /// - Parameters:
    ///   - fileManager: Tells which folders exist.
    ///   - environment: The variables that move those folders.
    /// - Returns: A configuration for the folders that exist now.
    public static func platformDefault(
        fileManager: FileManager = .default,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> ModelLibrarySearchConfiguration {
        #if os(macOS) || os(Linux)
            let folders = ExternalModelFolders(folders: UserFolders(environment), fileManager: fileManager)
            return ModelLibrarySearchConfiguration(
                externalHuggingFaceHubCacheDirectories: folders.huggingFace,
                externalOllamaModelDirectories: folders.ollama,
                externalLMStudioModelDirectories: folders.lmStudio)
        #else
            return .managedOnly
        #endif
    }
}
