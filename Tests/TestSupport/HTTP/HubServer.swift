import CarbocationLocalLLM
public import Foundation

/// A model hub and its file storage, two servers on two ports of 127.0.0.1.
///
/// It speaks what a model download needs: lists of refs and files, and file addresses that redirect, large files to
/// the storage server, small ones to another path of the hub. As real storage does, the storage server refuses
/// requests that carry `Authorization`.
///
/// ```swift
/// let hub = try HubServer([HubRepository("org/model", files: [HubFile("m-Q4_K_M.gguf", .gguf(seed: 1, count: 4096))])])
/// hub.storage.faults.inject(.drop(after: 1000), times: 1)
/// ```
public final class HubServer: Sendable {
    /// Answers below `/api/` and file addresses.
    public let hub: HTTPTestServer

    /// Serves the large files.
    public let storage: HTTPTestServer

    private let state: Locked<HubState>

    /// Starts both servers.
    ///
    /// - Parameters:
    ///   - repositories: What the hub has.
    ///   - port: The hub's port, or 0 for one that is free.
    ///   - pageSize: The most files that one page of a list holds.
    /// - Throws: ``SystemCallFailure`` when a port cannot be had.
    public init(_ repositories: [HubRepository] = [], port: UInt16 = 0, pageSize: Int = 1000) throws {
        let state = Locked(HubState(repositories: repositories, pageSize: pageSize))
        self.state = state
        let storage = try HTTPTestServer { HubStorage(state: state.withLock { $0 }).reply(to: $0) }
        self.storage = storage
        let storagePort = storage.port
        hub = try HTTPTestServer(port: port) { request in
            HubRoutes(state: state.withLock { $0 }, storagePort: storagePort).reply(to: request)
        }
    }

    /// The address to give as the hub's endpoint, without a path.
    public var endpoint: URL { hub.url }

    /// The requests that the hub got, those to the storage not among them.
    public var requests: [ServerRequest] { hub.requests }

    /// Adds a repository, or replaces the one of the same name.
    public func add(_ repository: HubRepository) {
        state.withLock { state in
            state.repositories.removeAll { $0.id == repository.id }
            state.repositories.append(repository)
        }
    }

    /// Changes a repository in place.
    public func update(_ id: String, _ change: (inout HubRepository) -> Void) {
        state.withLock { state in
            guard let index = state.repositories.firstIndex(where: { $0.id == id }) else { return }
            change(&state.repositories[index])
        }
    }

    /// Ends both servers.
    public func stop() {
        hub.stop()
        storage.stop()
    }
}

/// What both servers know.
struct HubState: Sendable {
    var repositories: [HubRepository]
    var pageSize: Int

    func repository(_ id: some StringProtocol) -> HubRepository? {
        repositories.first { $0.id == id }
    }
}

/// Answers of the storage server.
struct HubStorage {
    let state: HubState

    /// The path under which the storage has a file.
    static func path(of file: HubFile, in repository: HubRepository) -> String {
        "/storage/\(repository.id)/\(file.sha256)"
    }

    func reply(to request: ServerRequest) -> ServerReply {
        if request.header("Authorization") != nil {
            return ServerReply(status: 400, body: ServerContent("<Error><Code>InvalidArgument</Code></Error>"))
        }
        guard let file = file(at: request.path) else { return .text("no such key\n", status: 403) }
        let date = "Wed, 21 Oct 2015 07:28:00 GMT"
        return ServerResource(file.content, etag: "\"\(file.sha256)\"", lastModified: date).reply(to: request)
    }

    private func file(at path: String) -> HubFile? {
        for repository in state.repositories where path.hasPrefix("/storage/\(repository.id)/") {
            let files = repository.files + repository.otherCommits.values.joined()
            return files.first { Self.path(of: $0, in: repository) == path }
        }
        return nil
    }
}
