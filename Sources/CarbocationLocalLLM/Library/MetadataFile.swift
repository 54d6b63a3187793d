import Foundation

/// The text of a `metadata.json`.
enum MetadataFile {
    /// Longer files describe no model.
    static let maximumBytes = 4 << 20

    /// The model a file describes; nil when it is not JSON or describes none.
    ///
    /// Whatever the file says, the model counts as managed.
    static func model(_ bytes: [UInt8]) -> InstalledModel? {
        guard let object = object(bytes) else { return nil }
        return InstalledModel(InstalledModelFields(object))
    }

    static func object(_ bytes: [UInt8]) -> LLMJSONObject? {
        (try? LLMJSONValue(jsonData: Data(bytes)))?.objectValue
    }

    /// The file for a model: sorted keys, indented, times in whole seconds.
    static func bytes(_ model: InstalledModel) -> [UInt8] {
        bytes(object(model))
    }

    static func bytes(_ object: LLMJSONObject) -> [UInt8] {
        Array((LLMJSONValue.object(object).jsonString(prettyPrinted: true, sortedKeys: true) + "\n").utf8)
    }

    static func object(_ model: InstalledModel) -> LLMJSONObject {
        var object: LLMJSONObject = [
            "id": .string(model.id.uuidString),
            "displayName": .string(model.displayName),
            "filename": .string(model.filename),
            "sizeBytes": .int(model.sizeBytes),
            "contextLength": .int(Int64(model.contextLength)),
            "source": .string(model.source.rawValue),
            "artifacts": .array(model.artifacts.map { .object(self.object($0)) }),
            "storageLocation": ["kind": .string(InstalledModelStorageLocation.Kind.managed.rawValue)],
            "installedAt": .string(ISO8601Time.text(model.installedAt)),
        ]
        object["quantization"] = model.quantization.map { .string($0) }
        object["hfRepo"] = model.hfRepo.map { .string($0) }
        object["hfFilename"] = model.hfFilename.map { .string($0) }
        object["sha256"] = model.sha256.map { .string($0) }
        return object
    }

    static func object(_ artifact: InstalledModelArtifact) -> LLMJSONObject {
        var object: LLMJSONObject = [
            "role": .string(artifact.role.rawValue),
            "relativePath": .string(artifact.relativePath),
            "sizeBytes": .int(artifact.sizeBytes),
        ]
        object["sha256"] = artifact.sha256.map { .string($0) }
        return object
    }
}
