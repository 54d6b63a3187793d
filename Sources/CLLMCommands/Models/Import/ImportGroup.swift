import CarbocationLocalLLM
import Foundation

/// Files that together are one model.
struct ImportGroup: Hashable {
    let urls: [URL]

    /// Sorts files by the models they belong to, as far as their names and folders tell.
    ///
    /// Files that only go with a model join the one model there is.
    ///
    /// - Returns: the groups in the order of their first files; nil when it is not clear which model a companion is
    ///   for.
    static func groups(of paths: [String]) -> [ImportGroup]? {
        let urls = paths.map { URL(fileURLWithPath: $0, isDirectory: false) }
        let companions = urls.filter { ModelFileName.isCompanion($0.lastPathComponent) }
        var models: [(key: String, urls: [URL])] = []
        for url in urls where !companions.contains(url) {
            if let index = models.firstIndex(where: { $0.key == key(of: url) }) {
                models[index].urls.append(url)
            } else {
                models.append((key(of: url), [url]))
            }
        }
        if models.count <= 1 { return [ImportGroup(urls: urls)] }
        return companions.isEmpty ? models.map { ImportGroup(urls: $0.urls) } : nil
    }

    /// The same for all parts of a split model, and different for everything else.
    private static func key(of url: URL) -> String {
        let name = url.lastPathComponent
        let stem = ModelFileName.stem(name)
        let isPart = stem.count + ".gguf".count < name.count
        return url.deletingLastPathComponent().standardizedFileURL.path + "/" + (isPart ? stem : name)
    }
}
