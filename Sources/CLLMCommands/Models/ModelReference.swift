import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Finds the model that the user means.
enum ModelReference {
    /// The GGUF file of `reference`, or of `CLLM_MODEL` when there is none.
    static func resolve(_ reference: String?, variables: [String: String]) throws -> URL {
        if let reference { return try file(at: reference, named: "'\(reference)'") }
        if let path = variables["CLLM_MODEL"], !path.isEmpty {
            return try file(at: path, named: "'\(path)' (from CLLM_MODEL)")
        }
        throw CommandFailure(
            .modelNotFound,
            "No model is given: name a .gguf file or set CLLM_MODEL "
                + "('make setup' fetches a demo model, and Scripts/demo-model-path prints where it is).")
    }

    private static func file(at path: String, named name: String) throws -> URL {
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
