// What samples of an app's documentation leave undeclared. Nothing of it is run.

struct SampleSettings {
    var enableWebpageTool = true
    var enableCalculateTool = true
    var enableUnitConversionTool = true
}

let settings = SampleSettings()
let customModelsRoot = FileManager.default.temporaryDirectory
let valueFromPreferences = "system.apple-intelligence"
let storedSelection = valueFromPreferences
let userPrompt = "Why is the sky blue?"
let jsonGrammar = #"root ::= "{}""#
let engine = LocalLLMEngine.shared
let request = LLMGenerationRequest(prompt: userPrompt)

@MainActor let library = ModelLibrary(root: customModelsRoot)

let installedModel = InstalledModel(id: UUID(), displayName: "A model", filename: "model.gguf", sizeBytes: 1)

let plan = LocalLLMLoadPlan(
    selection: .system(.appleIntelligence), displayName: "A model", requestedContext: 4096,
    capabilities: LocalLLMModelCapabilities(supportsGrammar: true, usesExactTokenCounts: true, contextSize: 4096))

let loaded = LocalLLMLoadedModelInfo(
    selection: plan.selection, displayName: plan.displayName, contextSize: 4096, trainingContextSize: 0,
    supportsGrammar: true, usesExactTokenCounts: true)
