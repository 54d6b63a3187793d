import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct ModelsCatalogCommandTests {
    private let folder = ModelsFolder()

    private static let gibibyte: UInt64 = 1 << 30

    @Test(
        "recommends by memory and says why",
        arguments: [
            (4 * gibibyte, nil, "None is recommended: the least demanding needs 8 GiB of memory, and there are 4 GiB."),
            (
                8 * gibibyte, "gemma-4-e2b-it-q4km",
                "Gemma 4 E2B Instruct is the most demanding model for 8 GiB of memory or less, and there are 8 GiB."
            ),
            (
                .max, "qwen3.6-27b-dense-q4km",
                "Qwen3.6 27B is the most demanding model for 48 GiB of memory or less, and there are 17179869183 GiB."
            ),
        ] as [(UInt64, String?, String)])
    func recommendation(memory: UInt64, id: String?, reason: String) async throws {
        let catalog = try await folder.succeed("models", "catalog", "--memory", "\(memory)", "--json").json()
        #expect(catalog.value(forKey: "recommended") == .text(id))
        #expect(catalog.string(forKey: "reason") == reason)
        let marked = catalog.array(forKey: "models")?.filter { $0.value(forKey: "recommended") == true } ?? []
        #expect(marked.compactMap { $0.string(forKey: "id") } == (id.map { [$0] } ?? []))
        #expect(try await folder.succeed("models", "catalog", "--memory", "\(memory)").output.contains(reason))
    }

    @Test("without --memory that of the computer counts")
    func ownMemory() async throws {
        let catalog = try await folder.succeed("models", "catalog", "--json").json()
        #expect(catalog.value(forKey: "memoryBytes") == .int(16 << 30))
        #expect(catalog.string(forKey: "recommended") == "qwen3.5-9b-instruct-q4km")
        #expect(catalog.array(forKey: "models")?.count == CuratedModelCatalog.all.count)
    }

    @Test("lists where each model comes from and which one is marked")
    func text() async throws {
        let lines = try await folder.succeed("models", "catalog").session.output.lines
        #expect(lines.count == CuratedModelCatalog.all.count + 1)
        #expect(lines.filter { $0.hasPrefix("*  ") }.count == 1)
        for (line, model) in zip(lines, CuratedModelCatalog.all) {
            #expect(line.contains("\(model.hfRepo)/\(model.hfFilename)"))
        }
    }

    @Test("an entry that is installed is marked")
    func installed() throws {
        let report = CatalogReport(models: CuratedModelCatalog.all, installed: ["gemma-4-e2b-it-q4km"], memory: 0)
        let lines = report.text.split(separator: "\n")
        #expect(lines.filter { $0.hasSuffix("  installed") }.count == 1)
        #expect(lines.first?.hasSuffix("  installed") == true)
        let flags = report.json.array(forKey: "models")?.map { $0.value(forKey: "installed") }
        #expect(flags?.first == .some(.bool(true)))
        #expect(flags?.last == .some(.bool(false)))
    }
}
