/// A system model as a picker shows it.
public struct LLMSystemModelOption: Sendable, Hashable, Identifiable {
    /// What choosing this option selects.
    public var selection: LLMModelSelection
    /// The name to show.
    public var displayName: String
    /// One line below the name.
    public var subtitle: String
    /// The provider's context in tokens; above 0 in options that the runtime offers.
    public var contextLength: Int
    /// The SF Symbol to show.
    public var systemImageName: String

    /// The selection's storage value.
    public var id: String { selection.storageValue }

    /// Creates an option from what a picker needs to show.
    public init(
        selection: LLMModelSelection,
        displayName: String,
        subtitle: String,
        contextLength: Int,
        systemImageName: String
    ) {
        self.selection = selection
        self.displayName = displayName
        self.subtitle = subtitle
        self.contextLength = contextLength
        self.systemImageName = systemImageName
    }
}
