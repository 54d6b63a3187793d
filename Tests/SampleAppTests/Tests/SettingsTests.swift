import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation
import Testing

@MainActor
@Suite("Sample app: settings and models", .timeLimit(.minutes(10)))
struct SettingsTests {
    @Test("nothing is selected at first, and an old selection does no harm")
    func nothingSelected() async throws {
        let desk = try TestDesk()
        let loader = ModelLoader(settings: desk.settings, shelf: desk.shelf)
        #expect(desk.settings.selectedModel.isEmpty)
        #expect(await loader.summary() == nil)
        desk.settings.select(.installed(UUID()))
        #expect(await loader.summary() == nil)
        await #expect(throws: LocalLLMEngineError.invalidSelection(desk.settings.selectedModel)) {
            try await loader.load()
        }
    }

    @Test("an imported model can be chosen, sized and removed")
    func chosenModel() async throws {
        let desk = try TestDesk()
        let model = try await desk.selectPocketModel()
        let loader = ModelLoader(settings: desk.settings, shelf: desk.shelf)
        let title = model.displayName
        #expect(await desk.shelf.choices().first == ModelShelf.Choice(selection: .installed(model.id), title: title))
        #expect(await loader.summary() == "\(title), 2048 tokens")
        desk.settings.useAutomaticContext(upTo: 600)
        #expect(await loader.summary() == "\(title), 600 tokens")
        desk.settings.useContext(of: 900)
        #expect(await loader.summary() == "\(title), 900 tokens")
        try await desk.shelf.remove(.installed(model.id))
        #expect(await loader.summary() == nil)
    }

    @Test("tools are on or off as the user left them")
    func switches() throws {
        let desk = try TestDesk()
        #expect(desk.settings.tools.calculates && !desk.settings.tools.opensWebpages)
        desk.settings.defaults.set(false, forKey: "tools.calculate")
        desk.settings.defaults.set(true, forKey: "tools.openWebpages")
        #expect(!desk.settings.tools.calculates && desk.settings.tools.opensWebpages)
    }
}
