import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("HuggingFaceTokenResolver")
struct HuggingFaceTokenResolverTests {
    private let folder = DownloadFolder()
    private let endpoint = HuggingFaceEndpoint.standard

    private var store: HuggingFaceTokenStore { HuggingFaceTokenStore(directory: folder.url("store")) }

    private func environment(_ more: [String: String] = [:]) throws -> [String: String] {
        let home = folder.url("hf")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        try Data(" hf_file\n".utf8).write(to: home.appendingPathComponent("token"))
        return ["HF_HOME": home.path, "HOME": folder.url.path].merging(more) { $1 }
    }

    private func token(_ explicit: String?, _ environment: [String: String]) -> String? {
        HuggingFaceTokenResolver.token(explicit: explicit, endpoint: endpoint, store: store, environment: environment)
    }

    @Test("HF-11: explicit, store, variable, file, in this order; blank counts as absent")
    func order() throws {
        let all = try environment(["HF_TOKEN": " hf_variable "])
        #expect(token(nil, all) == "hf_variable")
        try store.save("hf_store", for: endpoint)
        #expect(token(nil, all) == "hf_store")
        #expect(token(" hf_explicit ", all) == "hf_explicit")
        #expect(token("  ", all) == "hf_store")
        try store.deleteToken(for: endpoint)
        #expect(token("", try environment(["HF_TOKEN": "  "])) == "hf_file")
        #expect(token(nil, ["HF_HOME": folder.url("none").path]) == nil)
    }

    @Test("HF-11: where the file is")
    func file() throws {
        let home = folder.url("home")
        let cache = home.appendingPathComponent(".cache/huggingface")
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        try Data("hf_home".utf8).write(to: cache.appendingPathComponent("token"))
        #expect(token(nil, ["HOME": home.path]) == "hf_home")
        #expect(token(nil, ["HOME": home.path, "HF_HOME": " "]) == "hf_home")
        #expect(token(nil, ["HOME": home.path, "HF_HOME": "~/.cache/huggingface"]) == "hf_home")
        #expect(
            token(nil, ["HOME": "/none", "XDG_CACHE_HOME": home.appendingPathComponent(".cache").path]) == "hf_home")
    }

    @Test("HF-11: an unreadable store or file counts as absent")
    func unreadable() throws {
        try store.save("hf_store", for: endpoint)
        let file = folder.url("store").appendingPathComponent("hf-tokens.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        #expect(token(nil, try environment()) == "hf_file")
        let home = folder.url("bad")
        let tokenFile = home.appendingPathComponent("token")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        try Data(repeating: 0xFF, count: 10).write(to: tokenFile)
        #expect(token(nil, ["HF_HOME": home.path]) == nil)
        try Data(repeating: 0x61, count: 1 << 20).write(to: tokenFile)
        #expect(token(nil, ["HF_HOME": home.path]) == nil)
    }
}

@Suite("HuggingFaceTokenStore in a file")
struct HuggingFaceTokenStoreTests {
    private let folder = DownloadFolder()
    private let hub = HuggingFaceEndpoint.standard

    private var directory: URL { folder.url("tokens") }
    private var file: URL { directory.appendingPathComponent("hf-tokens.json") }
    private var store: HuggingFaceTokenStore { HuggingFaceTokenStore(directory: directory) }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test("HF-12: tokens are kept by server, in a file for this user alone")
    func save() throws {
        let other = try #require(URL(string: "http://127.0.0.1:8080"))
        #expect(try store.token(for: hub) == nil)
        try store.save(" hf_a \n", for: hub)
        try store.save("hf_b", for: other)
        #expect(try store.token(for: hub) == "hf_a")
        #expect(try store.token(for: try #require(URL(string: "https://HuggingFace.co:443/x"))) == "hf_a")
        #expect(try store.token(for: other) == "hf_b")
        #expect(try store.token(for: try #require(URL(string: "http://127.0.0.1:8081"))) == nil)
        #expect(try mode(file) == 0o600)
        #expect(try mode(directory) == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["hf-tokens.json"])
    }

    @Test("HF-12: a blank token deletes, and so does deleting")
    func delete() throws {
        try store.save("hf_a", for: hub)
        try store.save("  ", for: hub)
        #expect(try store.token(for: hub) == nil)
        try store.save("hf_a", for: hub)
        try store.deleteToken(for: hub)
        try store.deleteToken(for: hub)
        #expect(try store.token(for: hub) == nil)
    }

    @Test("HF-12: a file that others may read is refused, also for writing", arguments: [0o644, 0o640, 0o602, 0o777])
    func permissions(mode: Int) throws {
        try store.save("hf_secret", for: hub)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        let error = try #require(throws: TokenStorageError.self) { try store.token(for: hub) }
        #expect(error == .readableByOthers(path: file.path))
        #expect(error.errorDescription?.contains("hf_secret") == false)
        #expect(throws: error) { try store.save("hf_new", for: hub) }
    }

    @Test("HF-12: a damaged file is an error and is not overwritten")
    func damaged() throws {
        try store.save("hf_a", for: hub)
        try Data("{".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(throws: TokenStorageError.damaged(path: file.path)) { try store.save("hf_b", for: hub) }
        #expect(try Data(contentsOf: file) == Data("{".utf8))
    }

    @Test("services are kept apart")
    func services() throws {
        let other = HuggingFaceTokenStore(service: "example", directory: directory)
        try store.save("hf_a", for: hub)
        try other.save("hf_b", for: hub)
        #expect(try store.token(for: hub) == "hf_a")
        #expect(try other.token(for: hub) == "hf_b")
    }

    @Test("HF-12: the folder on Linux")
    func defaultFolder() {
        #expect(
            FileTokenStorage.defaultDirectory(environment: ["XDG_CONFIG_HOME": "/c"]).path
                == "/c/carbocation-local-llm")
        #expect(
            FileTokenStorage.defaultDirectory(environment: ["HOME": "/h", "XDG_CONFIG_HOME": ""]).path
                == "/h/.config/carbocation-local-llm")
    }

    @Test("an address without a server has no token")
    func noServer() throws {
        #expect(throws: TokenStorageError.noServer) {
            try store.save("hf_a", for: URL(fileURLWithPath: "/tmp"))
        }
    }
}

@Suite("BearerToken")
struct BearerTokenTests {
    @Test("HF-12: a token does not show in descriptions")
    func hidden() throws {
        let token = try #require(BearerToken("hf_secret"))
        #expect(token.headerValue == "Bearer hf_secret")
        for text in ["\(token)", String(reflecting: token), String(describing: [token])] {
            #expect(!text.contains("hf_secret"))
        }
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!dumped.contains("hf_secret"))
    }
}

@Suite("HuggingFaceModelResolverError")
struct HuggingFaceModelResolverErrorTests {
    @Test(
        "descriptions are sentences with a remedy, and long or hostile names are cut",
        arguments: [
            HuggingFaceModelResolverError.invalidRepository("x"), .invalidURL("x"), .unauthorized("o/r"), .gated("o/r"),
            .notFound("o/r"), .httpStatus(500), .malformedResponse("it is no JSON"), .unknownRevision("mian"),
            .noGGUFFiles("o/r"), .fileNotFound(String(repeating: "a\n", count: 5000)),
            .missingSplitPart((1...1000).map { "m-\($0).gguf" }), .quantizationNotFound("Q8_0"),
        ])
    func descriptions(error: HuggingFaceModelResolverError) throws {
        let text = try #require(error.errorDescription)
        #expect(text.hasSuffix("."))
        #expect(text.count < 600)
        #expect(!text.contains("\n"))
        #expect(text.contains(try #require(error.recoverySuggestion)))
    }
}
