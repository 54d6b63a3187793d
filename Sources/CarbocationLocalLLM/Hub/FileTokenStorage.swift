import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tokens in a JSON file that only this user may read.
struct FileTokenStorage: TokenStorage {
    let service: String
    let directory: URL

    private static let standardService = "com.carbocation.CarbocationLocalLLM.HuggingFaceToken"
    private static let maximumBytes = 1 << 20

    static func defaultDirectory(environment: [String: String]) -> URL {
        let configuration =
            HuggingFaceHome.folder("XDG_CONFIG_HOME", in: environment)
            ?? HuggingFaceHome.userHome(environment).appendingPathComponent(".config")
        return configuration.appendingPathComponent("carbocation-local-llm", isDirectory: true)
    }

    private var file: URL { directory.appendingPathComponent("hf-tokens.json", isDirectory: false) }

    func token(for account: String) throws -> String? { try load()[key(account)] }

    func save(_ token: String, for account: String) throws {
        var tokens = try load()
        tokens[key(account)] = token
        try store(tokens)
    }

    func deleteToken(for account: String) throws {
        var tokens = try load()
        guard tokens.removeValue(forKey: key(account)) != nil else { return }
        try store(tokens)
    }

    private func key(_ account: String) -> String {
        service == Self.standardService ? account : "\(service) \(account)"
    }

    // MARK: File

    private func load() throws -> [String: String] {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return [:] }
            throw systemError()
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // Of the open file, so that it cannot be exchanged between the check and the reading.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw systemError() }
        guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw TokenStorageError.readableByOthers(path: file.path)
        }
        guard let data = try? handle.read(upToCount: Self.maximumBytes), data.count < Self.maximumBytes,
            let tokens = try? JSONDecoder().decode([String: String].self, from: data)
        else { throw TokenStorageError.damaged(path: file.path) }
        return tokens
    }

    /// Writes a new file beside the old one and puts it in its place, so that no moment shows half a file.
    private func store(_ tokens: [String: String]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let data = try encoder.encode(tokens)
        try prepareDirectory()
        let temporary = directory.appendingPathComponent(".hf-tokens-\(UUID().uuidString)", isDirectory: false)
        let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw systemError() }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
            guard rename(temporary.path, file.path) == 0 else { throw systemError() }
        } catch {
            unlink(temporary.path)
            throw error is TokenStorageError ? error : TokenStorageError.system(error.localizedDescription)
        }
    }

    private func prepareDirectory() throws {
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path)
        } catch {
            throw TokenStorageError.system(error.localizedDescription)
        }
    }

    private func systemError() -> TokenStorageError { .system(String(cString: strerror(errno))) }
}
