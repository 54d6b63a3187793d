import CarbocationLocalLLM
import Foundation

/// `models pull`: downloads a model and installs it.
struct ModelsPullCommand: Command {
    static let sha256 = OptionSpecification.value("sha256", "HEX", "The SHA-256 that the model's file must have.")
    static let json = OptionSpecification.flag("json", "Print the installed model as JSON.")
    static let specification = CommandSpecification(
        path: ["models", "pull"], summary: "Downloads a model, installs it and prints its id.",
        positional: .init(
            name: HubArguments.positionalName,
            help: "\(HubArguments.referenceHelp), or the address of a .gguf file on any server.", isRequired: true),
        options: HubArguments.specifications + TransferArguments.specifications + [sha256, json])

    private let hub: HubArguments
    private let transfer: TransferArguments
    private let expectedSHA256: String?
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        hub = try HubArguments(arguments)
        transfer = try TransferArguments(arguments)
        printsJSON = arguments.isSet(Self.json)
        guard let text = try arguments.text(Self.sha256) else {
            expectedSHA256 = nil
            return
        }
        guard let digest = SHA256Text.normalized(text) else {
            throw arguments.usage("--sha256 needs 64 hexadecimal digits, not '\(text)'")
        }
        expectedSHA256 = digest
    }

    func run(in context: CommandContext) async throws {
        let library = await context.openLibrary()
        let model: InstalledModel
        if let reference = hub.reference(in: context) {
            let pull = HubPull(
                hub: hub, reference: reference, expectedSHA256: expectedSHA256,
                configuration: transfer.configuration, library: library, context: context)
            model = try await pull.run()
        } else if let address = AddressPull.address(hub.text) {
            let pull = AddressPull(
                address: address, token: hub.givenToken, expectedSHA256: expectedSHA256,
                configuration: transfer.configuration, library: library, context: context)
            model = try await pull.run()
        } else {
            throw hub.notAReference
        }
        try context.print(
            printsJSON ? JSONDocument.text(ModelEntry.installed(model).json) : model.id.uuidString + "\n")
    }
}
