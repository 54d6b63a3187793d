import Foundation

/// Where other programs keep their models, as far as the folders exist.
struct ExternalModelFolders {
    let folders: UserFolders
    let fileManager: FileManager

    private static let maximumPointerBytes = 4096

    var huggingFace: [URL] {
        existing([
            ModelStorage.huggingFaceHubCacheDirectory(environment: folders.environment, fileManager: fileManager).path
        ])
    }

    var ollama: [URL] {
        var paths = [folders.path("OLLAMA_MODELS") ?? folders.home + "/.ollama/models"]
        #if os(Linux)
            paths.append("/usr/share/ollama/.ollama/models")
        #endif
        return existing(paths)
    }

    var lmStudio: [URL] {
        existing(
            [folders.home + "/.lmstudio/models", folders.home + "/.cache/lm-studio/models"]
                + (lmStudioHome.map { [$0 + "/models"] } ?? []))
    }

    /// The folder that LM Studio was moved to, if it was.
    private var lmStudioHome: String? {
        let calls = SystemFileCalls()
        let pointer = folders.home + "/.lmstudio-home-pointer"
        guard let bytes = try? calls.contents(of: pointer, limit: Self.maximumPointerBytes).bytes else { return nil }
        let path = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return path.hasPrefix("/") ? path : nil
    }

    private func existing(_ paths: [String]) -> [URL] {
        var seen: Set<String> = []
        return paths.compactMap { path in
            var isDirectory: ObjCBool = false
            guard fileManager.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
                return nil
            }
            let url = URL(fileURLWithPath: path, isDirectory: true)
            return seen.insert(url.resolvingSymlinksInPath().path).inserted ? url : nil
        }
    }
}
