/// Why a schema cannot be enforced: a place, the keyword there and what is wrong with it.
struct SchemaFailure: Error, Hashable {
    let place: JSONPointer
    let reason: String

    init(_ place: JSONPointer, _ reason: String) {
        self.place = place
        self.reason = reason
    }

    var message: String { "\(place): \(reason)" }
}
