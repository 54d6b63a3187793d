import Foundation

/// The order in which models are shown: by size, then by name without regard to case, then by id.
enum ModelOrder {
    private struct Key {
        let size: Int64
        let name: String
        let position: Int
    }

    static func sorted(_ models: [InstalledModel]) -> [InstalledModel] {
        // Models are large values; the keys are sorted in their place.
        let keys = models.enumerated().map { position, model in
            Key(size: model.sizeBytes, name: model.displayName.lowercased(), position: position)
        }
        let order = keys.sorted { lhs, rhs in
            if lhs.size != rhs.size { return lhs.size < rhs.size }
            if lhs.name != rhs.name { return lhs.name < rhs.name }
            return models[lhs.position].id.uuidString < models[rhs.position].id.uuidString
        }
        return order.map { models[$0.position] }
    }
}
