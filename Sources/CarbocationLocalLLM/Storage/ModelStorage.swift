public import Foundation

/// Where models lie on this computer.
public enum ModelStorage {
    /// The App Group that apps of this family share their models through.
    public static var carbocationSharedGroupID: String { "group.com.carbocation.shared" }

    /// The App Group that ``modelsDirectory(sharedGroupIdentifier:appSupportFolderName:fileManager:)`` uses unless told
    /// otherwise.
    public static var defaultSharedGroupID: String { carbocationSharedGroupID }

    /// The folder for an app's models.
    ///
    /// On Apple platforms that of the App Group, or one in Application Support when the app has no access to the group.
    /// On Linux, where there are no groups, one under `$XDG_DATA_HOME` or `~/.local/share`. The folder may not exist
    /// yet; ``ModelLibrary`` creates it when it needs it.
    ///
    /// - Parameters:
    ///   - sharedGroupIdentifier: The App Group; nil keeps the models to this app.
    ///   - appSupportFolderName: The app's folder in Application Support, or in the data folder on Linux.
    ///   - fileManager: Knows where Application Support is.
    /// - Returns: The models root.
    public static func modelsDirectory(
        sharedGroupIdentifier: String? = ModelStorage.defaultSharedGroupID,
        appSupportFolderName: String,
        fileManager: FileManager = .default
    ) -> URL {
        modelsDirectory(
            sharedGroupIdentifier: sharedGroupIdentifier,
            appSupport: appSupportDirectory(appSupportFolderName: appSupportFolderName, fileManager: fileManager),
            container: sharedGroupRoot(sharedGroupIdentifier:))
    }

    /// The app's own folder in Application Support; on Linux in `$XDG_DATA_HOME` or `~/.local/share`.
    ///
    /// - Parameters:
    ///   - appSupportFolderName: The name of the app's folder.
    ///   - fileManager: Knows where Application Support is.
    /// - Returns: The folder, which may not exist yet.
    public static func appSupportDirectory(
        appSupportFolderName: String, fileManager: FileManager = .default
    ) -> URL {
        #if canImport(Darwin)
            let folders = fileManager.urls(for: .applicationSupportDirectory, in: .userDomainMask)
            let base = folders.first ?? fileManager.temporaryDirectory
            return base.appendingPathComponent(appSupportFolderName, isDirectory: true)
        #else
            return dataDirectory(appSupportFolderName: appSupportFolderName, folders: UserFolders())
        #endif
    }

    /// The container of an App Group; nil when the app has no access to it, and always nil on Linux.
    ///
    /// - Parameter sharedGroupIdentifier: The group, passed to the system unchanged.
    /// - Returns: The container's folder.
    public static func sharedGroupRoot(sharedGroupIdentifier: String) -> URL? {
        #if canImport(Darwin)
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: sharedGroupIdentifier)
        #else
            nil
        #endif
    }

    /// The folder where Hugging Face's own tools keep downloaded repositories.
    ///
    /// `HF_HUB_CACHE`, else `hub` in `HF_HOME`, else `huggingface/hub` in `XDG_CACHE_HOME`, else
    /// `~/.cache/huggingface/hub`. Blank variables count as unset, and a leading `~` is the home folder.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - fileManager: Tells the current folder, which relative paths start from.
    /// - Returns: The folder, which may not exist.
    public static func huggingFaceHubCacheDirectory(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        fileManager: FileManager = .default
    ) -> URL {
        let folders = UserFolders(environment)
        let path =
            folders.path("HF_HUB_CACHE") ?? folders.path("HF_HOME").map { $0 + "/hub" }
            ?? folders.path("XDG_CACHE_HOME").map { $0 + "/huggingface/hub" }
            ?? folders.home + "/.cache/huggingface/hub"
        let base = URL(fileURLWithPath: fileManager.currentDirectoryPath, isDirectory: true)
        return URL(fileURLWithPath: path, isDirectory: true, relativeTo: base).standardizedFileURL
    }
}

extension ModelStorage {
    /// The rule of ``modelsDirectory(sharedGroupIdentifier:appSupportFolderName:fileManager:)`` with the system's
    /// answers as values.
    package static func modelsDirectory(
        sharedGroupIdentifier: String?, appSupport: URL, container: (String) -> URL?
    ) -> URL {
        (sharedGroupIdentifier.flatMap(container) ?? appSupport).appendingPathComponent("Models", isDirectory: true)
    }

    /// The app's folder by the rules of the XDG base directories.
    static func dataDirectory(appSupportFolderName: String, folders: UserFolders) -> URL {
        URL(fileURLWithPath: folders.data, isDirectory: true)
            .appendingPathComponent(appSupportFolderName, isDirectory: true)
    }
}
