import Foundation

/// Answers of the hub itself.
struct HubRoutes {
    let state: HubState
    let storagePort: UInt16

    func reply(to request: ServerRequest) -> ServerReply {
        let components = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { $0.removingPercentEncoding ?? String($0) }
        if components.starts(with: ["api", "models"]), components.count >= 5 {
            return api(Array(components.dropFirst(2)), request)
        }
        if components.starts(with: ["api", "resolve-cache", "models"]), components.count >= 7 {
            return cached(Array(components.dropFirst(3)), request)
        }
        if components.count >= 5, components[2] == "resolve" { return resolve(components, request) }
        return .html("<!DOCTYPE html><title>404</title>", status: 404)
    }

    private func api(_ components: [String], _ request: ServerRequest) -> ServerReply {
        readable("\(components[0])/\(components[1])", request) { repository in
            switch components[2] {
            case "refs": return HubListing.refs(of: repository, withPulls: request.query("include_prs") == "1")
            case "tree" where components.count == 4:
                return HubListing.tree(of: repository, at: components[3], request, pageSize: state.pageSize)
            default: return .error(404, "NotFound", "unknown route")
            }
        }
    }

    private func resolve(_ components: [String], _ request: ServerRequest) -> ServerReply {
        file(components[0], components[1], revision: components[3], path: components[4...], request) { found in
            let (repository, commit, file) = found
            var reply = ServerReply.redirect(location(of: file, in: repository, at: commit, request: request))
            reply.status = file.isLarge ? 302 : 307
            reply[header: "X-Repo-Commit"] = commit
            reply[header: "X-Linked-Size"] = file.isLarge ? "\(file.content.count)" : nil
            reply[header: "X-Linked-ETag"] = file.isLarge ? "\"\(file.sha256)\"" : nil
            reply[header: "ETag"] = file.isLarge ? nil : "\"\(file.gitObjectID)\""
            return reply
        }
    }

    /// Large files are elsewhere; small ones redirect to a path of the same origin that is not absolute.
    private func location(
        of file: HubFile, in repository: HubRepository, at commit: String, request: ServerRequest
    ) -> String {
        guard file.isLarge else {
            let path = request.path.split(separator: "/").dropFirst(4).joined(separator: "/")
            return "/api/resolve-cache/models/\(repository.id)/\(commit)/\(path)"
        }
        return "http://127.0.0.1:\(storagePort)\(HubStorage.path(of: file, in: repository))?signature=0123abcd"
    }

    private func cached(_ components: [String], _ request: ServerRequest) -> ServerReply {
        file(components[0], components[1], revision: components[2], path: components[3...], request) { found in
            let headers = [ServerHeader("X-Repo-Commit", found.commit)]
            return ServerResource(found.file.content, etag: "\"\(found.file.gitObjectID)\"", headers: headers)
                .reply(to: request)
        }
    }

    private typealias Found = (repository: HubRepository, commit: String, file: HubFile)

    private func file(
        _ owner: String, _ name: String, revision: String, path: some Collection<String>, _ request: ServerRequest,
        _ answer: (Found) -> ServerReply
    ) -> ServerReply {
        readable("\(owner)/\(name)", request) { repository in
            guard let (commit, files) = repository.files(at: revision) else {
                return .error(404, "RevisionNotFound", "Invalid rev id: \(revision)")
            }
            let path = path.joined(separator: "/")
            guard let file = files.first(where: { $0.path == path }) else {
                return .error(404, "EntryNotFound", "Entry not found")
            }
            return answer((repository, commit, file))
        }
    }

    /// The answer for a repository, if the bearer of the request's token may read it.
    private func readable(
        _ id: String, _ request: ServerRequest, _ answer: (HubRepository) -> ServerReply
    ) -> ServerReply {
        let token = request.header("Authorization").map { String($0.dropFirst("Bearer ".count)) }
        guard let repository = state.repository(id) else {
            return token == nil
                ? .error(401, "RepoNotFound", "Repository not found")
                : .error(404, "RepoNotFound", "Repository not found")
        }
        switch repository.access {
        case .open: return answer(repository)
        case .hidden(let accepted):
            guard let token else { return .error(401, "RepoNotFound", "Repository not found") }
            return accepted.contains(token)
                ? answer(repository) : .error(404, "RepoNotFound", "Repository not found")
        case .gated(let accepted, let valid):
            // The file list of a gated repository is open to everybody, its files are not.
            if request.path.hasPrefix("/api/models/") { return answer(repository) }
            guard let token, accepted.contains(token) || valid.contains(token) else {
                return .error(401, "GatedRepo", "Access to model \(id) is restricted")
            }
            return accepted.contains(token)
                ? answer(repository) : .error(403, "GatedRepo", "Access to model \(id) is restricted")
        }
    }
}

extension ServerReply {
    static func error(_ status: Int, _ code: String, _ message: String) -> ServerReply {
        var reply = ServerReply.json(#"{"error":"\#(message)"}"#, status: status)
        reply[header: "X-Error-Code"] = code
        reply[header: "X-Error-Message"] = message
        return reply
    }
}
