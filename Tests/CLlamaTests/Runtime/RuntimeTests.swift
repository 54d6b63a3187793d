import CLlama
import Foundation
import Testing

@Suite("What the linked llama.cpp says of itself", .needsRuntime)
struct RuntimeTests {
    @Test("The linked library is the pinned one")
    func pin() {
        #expect(String(cString: cl_runtime_commit()) == "0c1e57098bba43ac29e6e3b677cdceebdd22334f")
        #expect(String(cString: cl_runtime_ggml_version()) == "0.25.3")
        #expect(String(cString: cl_runtime_version()) == "0.5.0-dev")
    }

    @Test("CPU features are listed, the same at each call")
    func systemInfo() {
        let first = String(cString: cl_runtime_system_info())
        #expect(first.contains("CPU"))
        #expect(String(cString: cl_runtime_system_info()) == first)
    }

    @Test("A success leaves no reason behind a failure")
    func lastError() throws {
        #expect(status { _ = try Model(URL(fileURLWithPath: "/nowhere.gguf")) } == CL_MODEL_LOAD_FAILED)
        #expect(!String(cString: cl_last_error()).isEmpty)
        let model = try Model(Files.pocketModel, vocabularyOnly: true)
        #expect(String(cString: cl_last_error()).isEmpty)
        _ = model
    }

    @Test("Reasons belong to the thread that failed")
    func reasonsPerThread() async {
        #expect(status { _ = try Model(URL(fileURLWithPath: "/nowhere.gguf")) } == CL_MODEL_LOAD_FAILED)
        let other = await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: String(cString: cl_last_error())) }.start()
        }
        #expect(other.isEmpty)
    }
}

@Suite("A build without llama.cpp", .enabled("only without a llama artifact") { !cl_runtime_is_available() })
struct UnavailableTests {
    @Test("SC-10: every call names the missing artifact and the remedy")
    func remedy() {
        let reason = reason { _ = try Model(Files.pocketModel) }
        #expect(status { _ = try Model(Files.pocketModel) } == CL_RUNTIME_UNAVAILABLE)
        #expect(reason.contains("llama artifact"))
        #expect(reason.contains("make setup"))
        #expect(reason.contains("Scripts/build-llama-linux.sh"))
        #expect(String(cString: cl_runtime_commit()).isEmpty)
    }
}
