import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Model files that the user names by their path.
enum ModelFilePath {
    /// Whether a text can only be a path.
    static func isPath(_ text: String) -> Bool { text.hasPrefix("/") || text.hasPrefix(".") || text.hasPrefix("~") }

    /// Whether there is a file at the path.
    static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The GGUF file at a path; errors call it `name`.
    static func file(at path: String, named name: String) throws -> URL {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let reason = errno == ENOENT ? "there is no such file" : Descriptor.Failure(number: errno).reason
            throw CommandFailure(.modelNotFound, "The model \(name) cannot be opened: \(reason).")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: try checkMagic(of: path, named: name)
        case S_IFDIR: throw notGGUF(name, "it is a folder; name the .gguf file in it")
        default: throw notGGUF(name, "it is not a regular file")
        }
        return URL(fileURLWithPath: path)
    }

    /// Tells a mistaken file name early, before anything is read from standard input.
    private static func checkMagic(of path: String, named name: String) throws {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else {
            let reason = Descriptor.Failure(number: errno).reason
            throw CommandFailure(.modelUnreadable, "The model \(name) cannot be opened: \(reason).")
        }
        defer { close(number) }
        let start = try? Descriptor(number: number).read(upTo: 4)
        guard start == Array("GGUF".utf8) else {
            throw notGGUF(name, "it is not a GGUF file; download the model in GGUF format")
        }
    }

    private static func notGGUF(_ name: String, _ reason: String) -> CommandFailure {
        CommandFailure(.modelUnreadable, "The model \(name) cannot be loaded: \(reason).")
    }
}
