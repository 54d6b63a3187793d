public import Foundation

extension InstalledModel {
    /// The folder that holds the model's files.
    ///
    /// - Parameter root: The root of the library that lists the model.
    /// - Returns: A folder in the root, or the folder of the program that the model belongs to.
    public func directory(in root: URL) -> URL {
        if isReadOnly, let path = storageLocation.directoryPath {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        return root.appendingPathComponent(id.uuidString, isDirectory: true)
    }

    /// The file to load.
    ///
    /// - Parameter root: The root of the library that lists the model.
    /// - Returns: The weights, or the first part of them.
    public func weightsURL(in root: URL) -> URL {
        artifactURL(role: .primaryModel, in: root)
            ?? directory(in: root).appendingPathComponent(filename, isDirectory: false)
    }

    /// The first file with a role.
    ///
    /// - Parameters:
    ///   - role: What the file is for.
    ///   - root: The root of the library that lists the model.
    /// - Returns: The file, or nil when the model has none for that.
    public func artifactURL(role: InstalledModelArtifactRole, in root: URL) -> URL? {
        artifacts.first { $0.role == role }.map {
            directory(in: root).appendingPathComponent($0.relativePath, isDirectory: false)
        }
    }

    /// The file that describes the model; external models have none.
    ///
    /// - Parameter root: The root of the library that lists the model.
    /// - Returns: `metadata.json` in the model's folder.
    public func metadataURL(in root: URL) -> URL {
        directory(in: root).appendingPathComponent(LibraryLayout.metadataName, isDirectory: false)
    }
}
