import CarbocationLocalLLM
import Foundation
import TestSupport

@testable import CLLMCommands

/// A hub with one repository, and a models folder to pull into.
struct PullRig: Sendable {
    static let repo = "owner/repo-GGUF"

    let folder = ModelsFolder()
    let hub: HubServer
    /// Large enough for two requests.
    let weights = ServerContent(GGUFBuilder.small(padding: (1 << 20) + 1000).bytes())
    let small = ServerContent(GGUFBuilder.small(padding: 100).bytes())
    let projector = ServerContent(
        GGUFBuilder().adding("general.architecture", .string("clip")).adding("general.type", .string("mmproj")).bytes())

    init(_ change: (inout HubRepository) -> Void = { _ in }) throws {
        var repository = HubRepository(
            Self.repo,
            files: [
                HubFile("README.md", ServerContent("hello"), isLarge: false),
                HubFile("mmproj-repo-F16.gguf", projector), HubFile("repo-Q4_K_M.gguf", weights),
                HubFile("repo-Q8_0.gguf", small),
            ])
        change(&repository)
        hub = try HubServer([repository])
    }

    func pull(_ arguments: String...) async -> ModelsFolder.Outcome {
        await pull(arguments)
    }

    /// Runs `models pull` against the hub.
    func pull(_ arguments: [String], session: CommandSession? = nil) async -> ModelsFolder.Outcome {
        let session = session ?? folder.session()
        let words = ["models", "pull", "--endpoint", hub.endpoint.absoluteString] + arguments
        return ModelsFolder.Outcome(code: await session.run(words), session: session)
    }

    /// The requests for data so far.
    var transfers: Int { hub.storage.log.requests.count }
}
