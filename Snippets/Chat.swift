// A conversation with a model of the library, which may calculate and is remembered until the next start.

import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import CarbocationLocalLLMTools
import Foundation

// The library that `cllm models` fills. An app of yours has a folder name of its own.
let library = ModelLibrary(root: ModelStorage.modelsDirectory(appSupportFolderName: "CarbocationLocalLLM"))
await library.refresh()
for model in library.models { print("\(model.displayName), \(model.contextLength) tokens") }
let wanted = CommandLine.arguments.dropFirst().first ?? ""
guard let model = library.models.first(where: { wanted.isEmpty || $0.displayName.contains(wanted) }) else {
    print("There is no such model. Install one: cllm models import FILE")
    exit(1)
}

let saved = URL(fileURLWithPath: "chat.session")
let session: LocalLLMSession
if FileManager.default.fileExists(atPath: saved.path) {
    session = try await LocalLLMSession(restoring: saved, from: library)
} else {
    // What an app stores is the selection's storage value; the plan says with how much context to load it.
    let stored = LLMModelSelection.installed(model.id).storageValue
    guard let plan = await LocalLLMEngine.loadPlan(from: stored, in: library) else { exit(1) }
    session = try await LocalLLMSession(
        selection: plan.selection, system: "Answer briefly.", from: library, requestedContext: plan.requestedContext)
}

print("> ", terminator: "")
while let prompt = readLine() {
    _ = try await session.generateWithTools(
        prompt: prompt, options: GenerationOptions(temperature: 0, maxOutputTokens: 200),
        tools: [LLMStandardTools.calculate()]
    ) { event in
        switch event {
        case .finalAnswerEvent(.finalAnswerDelta(let text, _)): print(text, terminator: "")
        case .toolCallStarted(let call): print("[\(call.name) \(call.arguments.jsonString())]")
        case .toolCallCompleted(let output): print("[\(output.content.jsonString())]")
        default: break
        }
        fflush(nil)
    }
    print("\n> ", terminator: "")
}
try await session.save(to: saved)
