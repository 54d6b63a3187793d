import Foundation

/// Lists that the hub gives as JSON.
enum HubListing {
    static func refs(of repository: HubRepository, withPulls: Bool) -> ServerReply {
        var lists = [
            "branches": repository.branches.map { Ref($0.name, "refs/heads/\($0.name)", $0.commit) },
            "tags": repository.tags.map { Ref($0.name, "refs/tags/\($0.name)", $0.commit) },
            "converts": repository.converts.map { Ref($0.name, "refs/convert/\($0.name)", $0.commit) },
        ]
        if withPulls {
            lists["pullRequests"] = repository.pullRequests.map {
                Ref("\($0.number)", "refs/pr/\($0.number)", $0.commit)
            }
        }
        return json(lists)
    }

    static func tree(
        of repository: HubRepository, at revision: String, _ request: ServerRequest, pageSize: Int
    ) -> ServerReply {
        guard let (_, files) = repository.files(at: revision) else {
            return .error(404, "RevisionNotFound", "Invalid rev id: \(revision)")
        }
        let entries = entries(of: files, isRecursive: request.query("recursive") == "true")
        let start = min(Int(request.query("cursor") ?? "") ?? 0, entries.count)
        let end = min(start + max(1, pageSize), entries.count)
        var reply = json(Array(entries[start..<end]))
        if end < entries.count {
            let next = "http://127.0.0.1:\(request.port)\(request.path)?recursive=true&cursor=\(end)"
            reply.headers.append(ServerHeader("Link", "<\(next)>; rel=\"next\""))
        }
        return reply
    }

    /// Folders come before the files in them, as in a real list.
    private static func entries(of files: [HubFile], isRecursive: Bool) -> [Entry] {
        var entries: [Entry] = []
        var folders: Set<String> = []
        for file in files {
            let parts = file.path.split(separator: "/")
            for depth in 1..<max(1, parts.count) {
                let folder = parts.prefix(depth).joined(separator: "/")
                if (isRecursive || depth == 1), folders.insert(folder).inserted {
                    entries.append(Entry(folder: folder))
                }
            }
            if isRecursive || parts.count == 1 { entries.append(Entry(file: file)) }
        }
        return entries
    }

    private static func json(_ value: some Encodable) -> ServerReply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? encoder.encode(value)) ?? Data()
        return .json(String(decoding: data, as: UTF8.self))
    }
}

private struct Ref: Encodable {
    let name: String
    let ref: String
    let targetCommit: String

    init(_ name: String, _ ref: String, _ targetCommit: String) {
        self.name = name
        self.ref = ref
        self.targetCommit = targetCommit
    }
}

private struct Entry: Encodable {
    let type: String
    let oid: String
    let size: Int64
    let path: String
    var lfs: LargeFile?

    struct LargeFile: Encodable {
        let oid: String
        let size: Int64
        let pointerSize: Int
    }

    init(folder: String) {
        type = "directory"
        oid = String(repeating: "0", count: 40)
        size = 0
        path = folder
    }

    init(file: HubFile) {
        type = "file"
        oid = file.gitObjectID
        size = file.content.count
        path = file.path
        if file.isLarge {
            lfs = LargeFile(oid: file.sha256, size: file.content.count, pointerSize: 134)
        }
    }
}
