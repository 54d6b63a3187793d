import CarbocationLocalLLM
import Foundation

/// Something in the library, sound or damaged, as the commands show it.
enum ModelEntry: Sendable, Hashable {
    case installed(InstalledModel)
    case damaged(DamagedInstalledModel)

    var id: UUID {
        switch self {
        case .installed(let model): model.id
        case .damaged(let model): model.id
        }
    }

    var displayName: String {
        switch self {
        case .installed(let model): model.displayName
        case .damaged(let model): model.displayName
        }
    }

    /// Everything that a library lists.
    @MainActor
    static func all(in library: ModelLibrary) -> [ModelEntry] {
        library.models.map { .installed($0) } + library.damagedModels.map { .damaged($0) }
    }
}

// MARK: - JSON

extension ModelEntry {
    /// The fields of `models list`; those that a damaged entry does not have are `null`.
    var json: LLMJSONValue {
        switch self {
        case .installed(let model): Self.json(model)
        case .damaged(let model): Self.json(model)
        }
    }

    private static func json(_ model: InstalledModel) -> LLMJSONValue {
        [
            "id": .string(model.id.uuidString), "displayName": .string(model.displayName),
            "filename": .string(model.filename), "sizeBytes": .count(model.sizeBytes),
            "contextLength": .count(model.contextLength), "quantization": .text(model.quantization),
            "source": .string(model.source.rawValue), "readOnly": .bool(model.isReadOnly),
            "hfRepo": .text(model.hfRepo), "hfFilename": .text(model.hfFilename), "sha256": .text(model.sha256),
            "artifacts": .array(model.artifacts.map(json)), "damaged": nil,
        ]
    }

    private static func json(_ artifact: InstalledModelArtifact) -> LLMJSONValue {
        [
            "role": .string(artifact.role.rawValue), "relativePath": .string(artifact.relativePath),
            "sizeBytes": .count(artifact.sizeBytes), "sha256": .text(artifact.sha256),
        ]
    }

    private static func json(_ model: DamagedInstalledModel) -> LLMJSONValue {
        let damage = ModelDamage(model.reason)
        return [
            "id": .string(model.id.uuidString), "displayName": .string(model.displayName), "filename": nil,
            "sizeBytes": nil, "contextLength": nil, "quantization": nil, "source": nil, "readOnly": false,
            "hfRepo": nil, "hfFilename": nil, "sha256": nil, "artifacts": [],
            "damaged": ["reason": .string(damage.reason), "detail": .text(damage.detail)],
        ]
    }
}
