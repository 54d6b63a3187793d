import Foundation

/// The name of a folder with a model: a UUID, properly in upper case.
struct FolderName: Sendable, Hashable {
    let text: String
    let id: UUID
    /// Whether the id leads to a folder of this very name, also where upper and lower case differ.
    let isCanonical: Bool

    /// Nil for names that are no UUID.
    init?(_ text: String) {
        guard text.utf8.count == 36, let id = UUID(uuidString: text) else { return nil }
        self.text = text
        self.id = id
        isCanonical = text == id.uuidString
    }

    /// A name that was found to be canonical before; parsing thousands of names takes its time.
    init(canonical text: String, of id: UUID) {
        self.text = text
        self.id = id
        isCanonical = true
    }
}
