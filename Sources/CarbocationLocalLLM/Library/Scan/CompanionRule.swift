/// Tells models from the files that go with them: projectors, importance matrices, adapters, draft heads.
enum CompanionRule {
    /// Whether a file is no model of its own.
    ///
    /// What the header says counts first: a projector's architecture, or a type other than `model`. A header that says
    /// `model` is believed against the name, except for draft heads, which carry the type of the model they belong to.
    static func isCompanion(_ path: String, _ header: ModelHeader?) -> Bool {
        if header?.architecture == "clip" { return true }
        if let type = header?.generalType, type != "model" { return true }
        if isDraftHead(path) { return true }
        return header?.generalType == nil && ModelFileName.isCompanion(path)
    }

    /// Whether a file is a projector.
    static func isProjector(_ path: String, _ header: ModelHeader?) -> Bool {
        if let architecture = header?.architecture { return architecture == "clip" }
        return header?.generalType == "mmproj" || ProjectorRule.isProjector(path)
    }

    private static func isDraftHead(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.lowercased().hasPrefix("mtp-")
    }
}
