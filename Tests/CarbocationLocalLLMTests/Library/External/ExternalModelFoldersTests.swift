import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct ExternalModelFoldersTests {
    private let home: ScratchFolder

    init() throws { home = try ScratchFolder() }

    private func configuration(_ variables: [String: String] = [:]) -> ModelLibrarySearchConfiguration {
        .platformDefault(environment: variables.merging(["HOME": home.path]) { first, _ in first })
    }

    /// The folders of the lists that lie in the test's own home.
    private func own(_ urls: [URL]) -> [String] {
        urls.map(\.path).filter { $0.hasPrefix(home.path) }.map { String($0.dropFirst(home.path.count)) }
    }

    @Test("ML-15: folders that do not exist are not listed")
    func nothing() {
        let configuration = configuration()
        #expect(configuration.includesManagedModels)
        #expect(own(configuration.externalHuggingFaceHubCacheDirectories).isEmpty)
        #expect(own(configuration.externalOllamaModelDirectories).isEmpty)
        #expect(own(configuration.externalLMStudioModelDirectories).isEmpty)
    }

    #if os(macOS) || os(Linux)
        @Test("ML-15: the folders in their usual places")
        func usualPlaces() throws {
            for name in [".cache/huggingface/hub", ".ollama/models", ".lmstudio/models", ".cache/lm-studio/models"] {
                try home.makeFolder(name)
            }
            let configuration = configuration()
            #expect(own(configuration.externalHuggingFaceHubCacheDirectories) == ["/.cache/huggingface/hub"])
            #expect(own(configuration.externalOllamaModelDirectories) == ["/.ollama/models"])
            #expect(
                own(configuration.externalLMStudioModelDirectories)
                    == ["/.lmstudio/models", "/.cache/lm-studio/models"])
        }

        @Test("ML-15: variables and the pointer file move them; the same folder is listed once")
        func movedPlaces() throws {
            try home.makeFolder("ollama")
            try home.makeFolder(".ollama/models")
            try home.makeFolder("studio/models")
            try home.makeFolder(".lmstudio")
            try home.link(".lmstudio/models", to: home.path + "/studio/models")
            try home.write("\(home.path)/studio\n", to: ".lmstudio-home-pointer")
            let configuration = configuration(["OLLAMA_MODELS": home.path + "/ollama"])
            #expect(own(configuration.externalOllamaModelDirectories) == ["/ollama"])
            #expect(own(configuration.externalLMStudioModelDirectories) == ["/.lmstudio/models"])
        }

        @Test("a pointer file with anything but an absolute path is ignored", arguments: ["", "relative", "\u{0}"])
        func oddPointers(text: String) throws {
            try home.write(text, to: ".lmstudio-home-pointer")
            #expect(own(configuration().externalLMStudioModelDirectories).isEmpty)
        }
    #endif

    @Test("ML-15: managedOnly lists no other program's folder")
    func managedOnly() {
        #expect(ModelLibrarySearchConfiguration.managedOnly == ModelLibrarySearchConfiguration())
        #expect(ModelLibrarySearchConfiguration.managedOnly.externalOllamaModelDirectories.isEmpty)
    }
}
