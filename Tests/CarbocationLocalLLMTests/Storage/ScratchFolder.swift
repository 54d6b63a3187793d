import Foundation
import TestSupport

/// A folder that exists as long as this object.
final class ScratchFolder: Sendable {
    let url: URL

    init() throws {
        let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        url = base.appendingPathComponent("library-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var path: String { url.path }

    func place(_ relativePath: String) -> URL { url.appendingPathComponent(relativePath, isDirectory: false) }

    func exists(_ relativePath: String) -> Bool { FileManager.default.fileExists(atPath: place(relativePath).path) }

    /// Writes a file, and the folders it lies in.
    @discardableResult
    func write(_ data: Data, to relativePath: String) throws -> URL {
        let url = place(relativePath)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
        return url
    }

    @discardableResult
    func write(_ text: String, to relativePath: String) throws -> URL {
        try write(Data(text.utf8), to: relativePath)
    }

    @discardableResult
    func write(_ model: GGUFBuilder, to relativePath: String) throws -> URL {
        try write(model.data(), to: relativePath)
    }

    func makeFolder(_ relativePath: String) throws {
        try FileManager.default.createDirectory(at: place(relativePath), withIntermediateDirectories: true)
    }

    /// Makes a link with exactly this text.
    func link(_ relativePath: String, to target: String) throws {
        let url = place(relativePath)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
    }

    func remove(_ relativePath: String) throws { try FileManager.default.removeItem(at: place(relativePath)) }

    func data(_ relativePath: String) throws -> Data { try Data(contentsOf: place(relativePath)) }

    func setModified(_ relativePath: String, _ date: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: place(relativePath).path)
    }

    /// The names in a folder, sorted; empty when there is none.
    func names(_ relativePath: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: place(relativePath).path)) ?? []).sorted()
    }
}

extension GGUFBuilder {
    /// A model of an architecture that needs no tensors to be listed.
    static func model(context: UInt32? = 32_768, _ more: [(String, GGUFBuilder.Value)] = []) -> GGUFBuilder {
        var builder = GGUFBuilder()
        builder.add("general.architecture", .string("llama"))
        if let context { builder.add("llama.context_length", .uint32(context)) }
        for (key, value) in more { builder.add(key, value) }
        return builder
    }

    /// A projector by its header.
    static var projector: GGUFBuilder {
        var builder = GGUFBuilder()
        builder.add("general.architecture", .string("clip"))
        return builder
    }

    /// A part of a split model as converters write it: the first holds the metadata.
    static func part(_ number: Int, of count: Int) -> GGUFBuilder {
        var builder = number == 1 ? GGUFBuilder.model() : GGUFBuilder()
        builder.add("split.no", .uint16(UInt16(number - 1)))
        builder.add("split.count", .uint16(UInt16(count)))
        return builder
    }
}
