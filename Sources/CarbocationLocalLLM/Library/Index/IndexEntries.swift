import Foundation

// The entries of an index as bytes. Writing and reading stand next to each other, field by field.

extension ByteWriter {
    fileprivate mutating func stamp(_ stamp: FileStamp) {
        number(stamp.size)
        number(stamp.modified.seconds)
        number(stamp.modified.nanoseconds)
    }

    mutating func file(_ file: LibraryIndex.File) {
        stamp(file.stamp)
        header(file.header)
    }

    mutating func folder(_ folder: LibraryIndex.Folder) {
        stamp(folder.metadata.file)
        number(folder.metadata.fileNumber)
        model(folder.stored)
        file(folder.weights)
    }

    private mutating func header(_ header: ModelHeader) {
        flag(header.isGGUF)
        optional(header.architecture) { $0.text($1) }
        optional(header.generalType) { $0.text($1) }
        optional(header.contextLength) { $0.number(Int64($1)) }
        optional(header.quantization) { $0.text($1) }
        optional(header.splitCount) { $0.number(Int64($1)) }
        flag(header.supportsMTP)
        optional(header.samplingDefaults) { $0.sampling($1) }
    }

    private mutating func sampling(_ sampling: LLMSamplingDefaults) {
        optional(sampling.temperature) { $0.number($1) }
        optional(sampling.topP) { $0.number($1) }
        optional(sampling.topK) { $0.number(Int64($1)) }
        optional(sampling.minP) { $0.number($1) }
        optional(sampling.repetitionPenalty) { $0.number($1) }
    }

    private mutating func model(_ model: InstalledModel) {
        withUnsafeBytes(of: model.id.uuid) { raw($0) }
        text(model.displayName)
        text(model.filename)
        number(model.sizeBytes)
        number(Int64(model.contextLength))
        text(model.source.rawValue)
        for field in [model.quantization, model.hfRepo, model.hfFilename, model.sha256] {
            optional(field) { $0.text($1) }
        }
        number(model.installedAt.timeIntervalSince1970)
        list(model.artifacts) { writer, artifact in
            writer.text(artifact.role.rawValue)
            writer.text(artifact.relativePath)
            writer.number(artifact.sizeBytes)
            writer.optional(artifact.sha256) { $0.text($1) }
        }
    }
}

extension ByteReader {
    fileprivate mutating func stamp() throws(Malformed) -> FileStamp {
        let size = try number(Int64.self)
        let seconds = try number(Int64.self)
        return FileStamp(
            size: size, modified: ModificationTime(seconds: seconds, nanoseconds: try number(Int64.self)))
    }

    mutating func file() throws(Malformed) -> LibraryIndex.File {
        let stamp = try stamp()
        return LibraryIndex.File(stamp: stamp, header: try header())
    }

    /// A folder; nil when what was stored of it is no model, or has paths that lead elsewhere.
    ///
    /// What follows from the rest is computed again.
    mutating func folder() throws(Malformed) -> LibraryIndex.Folder? {
        let stamp = LibraryIndex.MetadataStamp(file: try stamp(), fileNumber: try number())
        let model = try model()
        let weights = try file()
        guard let model, model.unsafePath == nil else { return nil }
        return LibraryIndex.Folder(
            metadata: stamp, stored: model, weights: weights,
            listed: model.completed(with: weights.header, weightsSize: weights.stamp.size))
    }

    private mutating func header() throws(Malformed) -> ModelHeader {
        var header = ModelHeader(isGGUF: try flag())
        header.architecture = try optional { (reader) throws(Malformed) in try reader.text() }
        header.generalType = try optional { (reader) throws(Malformed) in try reader.text() }
        header.contextLength = try optionalInteger()
        header.quantization = try optional { (reader) throws(Malformed) in try reader.text() }
        header.splitCount = try optionalInteger()
        header.supportsMTP = try flag()
        header.sampling =
            try optional { (reader) throws(Malformed) in try reader.sampling() } ?? .providerDefault
        return header
    }

    private mutating func sampling() throws(Malformed) -> LLMSamplingDefaults {
        var sampling = LLMSamplingDefaults()
        sampling.temperature = try optional { (reader) throws(Malformed) in try reader.double() }
        sampling.topP = try optional { (reader) throws(Malformed) in try reader.double() }
        sampling.topK = try optionalInteger()
        sampling.minP = try optional { (reader) throws(Malformed) in try reader.double() }
        sampling.repetitionPenalty = try optional { (reader) throws(Malformed) in try reader.double() }
        return sampling
    }

    private mutating func optionalInteger() throws(Malformed) -> Int? {
        try optional { (reader) throws(Malformed) in Int(try reader.number(Int64.self)) }
    }

    private mutating func model() throws(Malformed) -> InstalledModel? {
        var fields = InstalledModelFields()
        fields.id = UUID(uuid: try raw(uuid_t.self))
        fields.displayName = try text()
        fields.filename = try text()
        fields.sizeBytes = try number()
        fields.contextLength = Int(try number(Int64.self))
        fields.source = ModelSource(rawValue: try text())
        fields.quantization = try optional { (reader) throws(Malformed) in try reader.text() }
        fields.hfRepo = try optional { (reader) throws(Malformed) in try reader.text() }
        fields.hfFilename = try optional { (reader) throws(Malformed) in try reader.text() }
        fields.sha256 = try optional { (reader) throws(Malformed) in try reader.text() }
        let time = try double()
        fields.installedAt = time.isFinite ? Date(timeIntervalSince1970: time) : nil
        fields.artifacts = try list { (reader) throws(Malformed) in try reader.artifact() }.compactMap(\.self)
        return InstalledModel(fields)
    }

    private mutating func artifact() throws(Malformed) -> InstalledModelArtifact? {
        let role = InstalledModelArtifactRole(rawValue: try text())
        let path = try text()
        let size = try number(Int64.self)
        let digest = try optional { (reader) throws(Malformed) in try reader.text() }
        guard let role else { return nil }
        return InstalledModelArtifact(role: role, relativePath: path, sizeBytes: max(0, size), sha256: digest)
    }
}
