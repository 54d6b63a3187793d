import CarbocationLocalLLM
import Foundation

/// Which model on which hub, and who asks for it.
struct HubArguments: Sendable, Hashable {
    static let endpoint = OptionSpecification.value(
        "endpoint", "URL", "The hub to ask (default: HF_ENDPOINT, else the Hugging Face Hub).")
    static let token = OptionSpecification.value(
        "token", "T", "An access token (default: the saved one, HF_TOKEN, or that of the Hub's own tools).")
    static let projector = OptionSpecification.flag("projector", "Also the projector of the model, if it has one.")
    static let specifications = [endpoint, token, projector]
    static let positionalName = "REF"
    static let referenceHelp = "OWNER/REPOSITORY, with :QUANTISATION or a path to a .gguf file, or a link to one"

    /// As given.
    let text: String
    let includesProjector: Bool
    private let givenEndpoint: URL?
    /// As given, nil when not.
    let givenToken: String?
    private let invocation: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        text = arguments.positional ?? ""
        includesProjector = arguments.isSet(Self.projector)
        givenToken = try arguments.text(Self.token)
        invocation = arguments.specification.invocation
        guard let text = try arguments.text(Self.endpoint) else {
            givenEndpoint = nil
            return
        }
        guard let url = HuggingFaceEndpoint.url(text) else {
            throw arguments.usage("--endpoint needs an http or https address, not '\(text)'")
        }
        givenEndpoint = url
    }

    func endpoint(in context: CommandContext) -> URL {
        givenEndpoint ?? HuggingFaceEndpoint.current(environment: context.environment.variables)
    }

    /// What the reference says; nil when it is none.
    func reference(in context: CommandContext) -> HuggingFaceModelReference? {
        HuggingFaceModelReference.parse(text, endpoint: endpoint(in: context))
    }

    func token(in context: CommandContext) -> String? {
        HuggingFaceTokenResolver.token(
            explicit: givenToken, endpoint: endpoint(in: context), environment: context.environment.variables)
    }

    /// Asks the hub for the files.
    func resolve(
        _ reference: HuggingFaceModelReference, token: String?, in context: CommandContext
    ) async throws -> HuggingFaceResolution {
        let resolver = HuggingFaceModelResolver(endpoint: endpoint(in: context))
        return try await context.showing("Asking for the files of \(reference.repo) …") {
            try await resolver.resolve(reference, token: token, includesProjector: includesProjector)
        }
    }

    var notAReference: UsageError {
        UsageError("'\(text)' is no reference to a model; write OWNER/REPOSITORY", in: invocation)
    }
}
