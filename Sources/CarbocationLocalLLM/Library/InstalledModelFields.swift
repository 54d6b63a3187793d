import Foundation

/// What a stored description of a model holds, as far as it makes sense.
///
/// A field that is missing or of the wrong type is nil, and the rest stays.
struct InstalledModelFields {
    var id: UUID?
    var displayName: String?
    var filename: String?
    var sizeBytes: Int64?
    var contextLength: Int?
    var quantization: String?
    var source: ModelSource?
    var hfRepo: String?
    var hfFilename: String?
    var sha256: String?
    var artifacts: [InstalledModelArtifact]?
    var storageLocation: InstalledModelStorageLocation?
    var installedAt: Date?
}

extension InstalledModelFields {
    /// The fields of a `metadata.json`.
    init(_ object: LLMJSONObject) {
        func text(_ key: String) -> String? {
            if case .string(let text) = object[key] { text } else { nil }
        }
        func number(_ key: String) -> Int64? {
            switch object[key] {
            case .int(let number): number
            case .double(let number): Int64(exactly: number)
            default: nil
            }
        }
        id = text("id").flatMap(UUID.init(uuidString:))
        displayName = text("displayName")
        filename = text("filename")
        sizeBytes = number("sizeBytes")
        contextLength = number("contextLength").flatMap(Int.init(exactly:))
        quantization = text("quantization")
        source = text("source").flatMap(ModelSource.init)
        hfRepo = text("hfRepo")
        hfFilename = text("hfFilename")
        sha256 = text("sha256")
        artifacts = object["artifacts"]?.arrayValue?.compactMap { InstalledModelArtifact(stored: $0) }
        installedAt = text("installedAt").flatMap(ISO8601Time.date)
    }
}

extension InstalledModelArtifact {
    /// Nil without a known role and a path; such an entry describes no file.
    init?(stored value: LLMJSONValue) {
        guard let object = value.objectValue, case .string(let roleName)? = object["role"],
            let role = InstalledModelArtifactRole(rawValue: roleName), case .string(let path)? = object["relativePath"]
        else { return nil }
        self.init(role: role, relativePath: path, sizeBytes: 0)
        if case .int(let size)? = object["sizeBytes"] { sizeBytes = max(0, size) }
        if case .string(let digest)? = object["sha256"] { sha256 = digest }
    }
}

// MARK: - Filling the gaps

extension InstalledModel {
    /// Nil when the fields do not say which model it is, or name no weights.
    init?(_ fields: InstalledModelFields) {
        guard let id = fields.id else { return nil }
        var artifacts = fields.artifacts ?? []
        let total = max(0, fields.sizeBytes ?? 0)
        if !artifacts.contains(where: { $0.role == .primaryModel }) {
            guard let filename = fields.filename else { return nil }
            let others = artifacts.reduce(0 as Int64) { $0.addingSaturated($1.sizeBytes) }
            let primary = InstalledModelArtifact(
                role: .primaryModel, relativePath: filename, sizeBytes: max(0, total - others), sha256: fields.sha256)
            artifacts.insert(primary, at: 0)
        }
        guard let primary = artifacts.first(where: { $0.role == .primaryModel }) else { return nil }
        let filename = fields.filename ?? primary.relativePath
        let sum = artifacts.reduce(0 as Int64) { $0.addingSaturated($1.sizeBytes) }
        self.init(
            id: id, displayName: fields.displayName ?? ModelFileName.stem(filename), filename: filename,
            sizeBytes: total > 0 ? total : sum, contextLength: max(0, fields.contextLength ?? 0),
            quantization: fields.quantization, source: fields.source ?? .imported, hfRepo: fields.hfRepo,
            hfFilename: fields.hfFilename, sha256: fields.sha256 ?? primary.sha256, artifacts: artifacts,
            storageLocation: fields.storageLocation ?? InstalledModelStorageLocation(),
            installedAt: fields.installedAt ?? Date(timeIntervalSince1970: 0))
    }
}
