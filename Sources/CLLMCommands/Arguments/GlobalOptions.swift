/// The options that every command takes, before or after its name.
struct GlobalOptions: Sendable, Hashable {
    enum Verbosity: Sendable, Hashable {
        /// Errors, and what was asked for.
        case quiet
        case normal
        /// Also what the engine reports about its work.
        case verbose
    }

    static let modelsDirectory = OptionSpecification.value(
        "models-dir", "DIR", "Folder of the model library (default: CLLM_MODELS_DIR, else the shared one).")
    static let managedOnly = OptionSpecification.flag(
        "managed-only", "Leave out models that other programs manage.")
    static let quiet = OptionSpecification.flag("quiet", "Write nothing but errors and --stats to stderr.")
    static let verbose = OptionSpecification.flag("verbose", "Write details of the work to stderr.")
    static let specifications = [modelsDirectory, managedOnly, quiet, verbose]

    var modelsDirectory: String?
    var managedOnly = false
    var verbosity = Verbosity.normal

    init() {}

    init(_ values: OptionValues, variables: [String: String], in invocation: String) throws(UsageError) {
        if values.last(Self.modelsDirectory)?.isEmpty == true {
            throw UsageError("\(Self.modelsDirectory.spelling) needs a value that is not empty", in: invocation)
        }
        modelsDirectory = values.last(Self.modelsDirectory) ?? variables["CLLM_MODELS_DIR"].flatMap(Self.nonEmpty)
        managedOnly = values.contains(Self.managedOnly)
        switch (values.contains(Self.quiet), values.contains(Self.verbose)) {
        case (true, true): throw UsageError("--quiet and --verbose exclude each other", in: invocation)
        case (true, false): verbosity = .quiet
        case (false, true): verbosity = .verbose
        case (false, false): verbosity = .normal
        }
    }

    private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}
