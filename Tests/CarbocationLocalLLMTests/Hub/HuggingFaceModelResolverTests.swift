import CarbocationLocalLLM
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HuggingFaceModelResolver")
struct HuggingFaceModelResolverTests {
    private func resolve(
        _ reference: HuggingFaceModelReference, _ client: ScriptedHubClient, token: String? = nil,
        includesProjector: Bool = false
    ) async throws -> HuggingFaceResolution {
        let resolver = HuggingFaceModelResolver(endpoint: HuggingFaceEndpoint.standard, httpClient: client)
        return try await resolver.resolve(reference, token: token, includesProjector: includesProjector)
    }

    @Test("HF-8, HF-10, HF-6: Q4_K_M by default, sizes from large-file storage, the token trimmed")
    func preferred() async throws {
        let client = HubJSON.client(
            """
            [{"type":"file","path":"m-Q8_0.gguf","size":900},
             {"type":"file","path":"m-Q4_K_M.gguf","size":120,"lfs":{"oid":"\(String(repeating: "AB", count: 32))",
              "size":400,"pointerSize":120}},
             {"type":"file","path":"mmproj-m.gguf","size":50},{"type":"directory","path":"d.gguf","size":0}]
            """)
        let resolution = try await resolve(
            HuggingFaceModelReference(repo: "org/model"), client, token: " hf_testtoken ", includesProjector: true)
        #expect(resolution.primaryArtifact.path == "m-Q4_K_M.gguf")
        #expect(resolution.primaryArtifact.sha256 == String(repeating: "ab", count: 32))
        #expect(resolution.mmprojArtifact?.path == "mmproj-m.gguf")
        #expect(resolution.totalSizeBytes == 450)
        #expect(resolution.quantization == "Q4_K_M")
        #expect(resolution.displayName == "m-Q4_K_M")
        #expect(resolution.commit == HubJSON.commit)
        #expect(resolution.reference.revision == "main")
        #expect(resolution.splitCount == 1)
        #expect(
            resolution.primaryArtifact.url.absoluteString
                == "https://huggingface.co/org/model/resolve/\(HubJSON.commit)/m-Q4_K_M.gguf")
        for request in client.requests {
            #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer hf_testtoken")
            #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
            #expect(request.value(forHTTPHeaderField: "User-Agent") == "CarbocationLocalLLM/1.0")
        }
    }

    @Test("HF-9: parts in order, whatever the order of the list, with the projector of the folder above")
    func split() async throws {
        let prefix = "UD-Q8_K_XL/m-UD-Q8_K_XL"
        let client = HubJSON.client(
            HubJSON.tree([
                ("\(prefix)-00003-of-00003.gguf", 3), ("\(prefix)-00001-of-00003.gguf", 1), ("imatrix.dat", 9),
                ("\(prefix)-00002-of-00003.gguf", 2), ("UD-Q8_K_XL/mmproj-F16.gguf", 5),
            ]))
        let resolution = try await resolve(
            HuggingFaceModelReference(repo: "org/model", quantization: "ud-q8_k_xl"), client, includesProjector: true)
        #expect(
            resolution.artifacts.map(\.path) == [
                "\(prefix)-00001-of-00003.gguf", "\(prefix)-00002-of-00003.gguf", "\(prefix)-00003-of-00003.gguf",
                "UD-Q8_K_XL/mmproj-F16.gguf",
            ])
        #expect(resolution.artifacts.map(\.role) == [.primaryModel, .splitModel, .splitModel, .mmproj])
        #expect(resolution.splitCount == 3)
        #expect(resolution.quantization == "UD-Q8_K_XL")
        #expect(resolution.displayName == "m-UD-Q8_K_XL")
        #expect(resolution.totalSizeBytes == 11)
    }

    @Test(
        "HF-7, HF-8: which model",
        arguments: [
            ([], nil, nil, nil, .noGGUFFiles("org/model")), (["mmproj.gguf"], nil, nil, nil, .noGGUFFiles("org/model")),
            (["m-Q4_K_M.gguf"], "Q8_0", nil, nil, .quantizationNotFound("Q8_0")),
            (["b-Q8_0.gguf", "a-Q2_K.gguf"], nil, nil, "b-Q8_0.gguf", nil),
            (["b-Q6_K.gguf", "a-Q2_K.gguf"], nil, nil, "a-Q2_K.gguf", nil),
            (["m-UD-Q4_K_M.gguf", "z-Q4_K_M.gguf"], nil, nil, "z-Q4_K_M.gguf", nil),
            (["a/m-Q4_K_M.gguf", "b/m-Q4_K_M.gguf"], nil, "b", "b/m-Q4_K_M.gguf", nil),
            (["a/m-Q4_K_M.gguf"], nil, "b", nil, .noGGUFFiles("org/model")),
            (["bb/m-Q4_K_M.gguf"], nil, "b", nil, .noGGUFFiles("org/model")),
            (["m-00000-of-00002.gguf", "m-00003-of-00002.gguf"], nil, nil, nil, .noGGUFFiles("org/model")),
            (["x-00001-of-00001.gguf"], nil, nil, "x-00001-of-00001.gguf", nil),
            (["m-00002-of-00002.gguf"], nil, nil, nil, .missingSplitPart(["m-00001-of-00002.gguf"])),
            (["../m.gguf", "a/../m.gguf", "/m.gguf"], nil, nil, nil, .noGGUFFiles("org/model")),
        ] as [([String], String?, String?, String?, HuggingFaceModelResolverError?)])
    func choice(
        files: [String], quantization: String?, directory: String?, chosen: String?,
        error: HuggingFaceModelResolverError?
    ) async throws {
        let client = HubJSON.client(HubJSON.tree(files.map { ($0, 1) }))
        let reference = HuggingFaceModelReference(repo: "org/model", quantization: quantization, directory: directory)
        if let error {
            await #expect(throws: error) { try await resolve(reference, client) }
        } else {
            #expect(try await resolve(reference, client).primaryArtifact.path == chosen)
        }
    }

    @Test(
        "HF-7: an explicit file",
        arguments: [
            ("d/x.gguf", ["d/x.gguf"], nil), ("x.gguf", [], .fileNotFound("x.gguf")),
            ("D/x.gguf", [], .fileNotFound("D/x.gguf")),
            ("s-00002-of-00002.gguf", ["s-00001-of-00002.gguf", "s-00002-of-00002.gguf"], nil),
            ("t-00001-of-00002.gguf", [], .missingSplitPart(["t-00002-of-00002.gguf"])),
            ("mmproj-F16.gguf", ["mmproj-F16.gguf"], nil), ("README.md", [], .fileNotFound("README.md")),
        ] as [(String, [String], HuggingFaceModelResolverError?)])
    func explicit(file: String, expected: [String], error: HuggingFaceModelResolverError?) async throws {
        let files = [
            "d/x.gguf", "s-00001-of-00002.gguf", "s-00002-of-00002.gguf", "t-00001-of-00002.gguf", "mmproj-F16.gguf",
            "README.md",
        ]
        let client = HubJSON.client(HubJSON.tree(files.map { ($0, 1) }))
        let reference = HuggingFaceModelReference(repo: "org/model", file: file)
        if let error {
            await #expect(throws: error) { try await resolve(reference, client) }
        } else {
            #expect(try await resolve(reference, client).artifacts.map(\.path) == expected)
        }
    }

    @Test(
        "HF-3: no request for a repository that cannot be",
        arguments: ["", "org", "org/", "a/b/c", "org/..", "./x", "o rg/x", "org/x?", "ö/x", "org/x%20"])
    func invalidRepository(repo: String) async throws {
        let client = ScriptedHubClient([:])
        await #expect(throws: HuggingFaceModelResolverError.invalidRepository(repo)) {
            try await resolve(HuggingFaceModelReference(repo: repo), client)
        }
        #expect(client.requests.isEmpty)
    }

    @Test(
        "HF-4: revisions are found exactly or not at all",
        arguments: [
            ("main", HubJSON.commit), ("v1.0", String(repeating: "1", count: 40)),
            ("refs/pr/1", String(repeating: "2", count: 40)),
            ("refs/convert/parquet", String(repeating: "3", count: 40)),
            ("refs/heads/main", HubJSON.commit), ("mian", nil), ("Main", nil), ("1", nil), ("v1", nil), ("", nil),
        ] as [(String, String?)])
    func revision(name: String, commit: String?) async throws {
        let refs = HubJSON.refs(
            more: """
                ,"tags":[{"name":"v1.0","ref":"refs/tags/v1.0","targetCommit":"\(String(repeating: "1", count: 40))"}],
                "pullRequests":[{"name":"1","ref":"refs/pr/1","targetCommit":"\(String(repeating: "2", count: 40))"}],
                "converts":[{"name":"parquet","ref":"refs/convert/parquet",
                "targetCommit":"\(String(repeating: "3", count: 40))"}]
                """)
        let tree = HubJSON.tree([("m.gguf", 1)])
        let client = ScriptedHubClient([
            "/api/models/org/model/refs?include_prs=1": .init(body: refs),
            "/api/models/org/model/tree/\(commit ?? "-")?recursive=true": .init(body: tree),
        ])
        let reference = HuggingFaceModelReference(repo: "org/model", revision: name)
        guard let commit else {
            await #expect(throws: HuggingFaceModelResolverError.unknownRevision(name)) {
                try await resolve(reference, client)
            }
            return
        }
        let resolution = try await resolve(reference, client)
        #expect(resolution.commit == commit)
        #expect(resolution.reference.revision == name)
    }

    @Test("HF-4: a commit is used as it is, without asking for refs")
    func commit() async throws {
        let client = HubJSON.client(HubJSON.tree([("m.gguf", 1)]))
        let reference = HuggingFaceModelReference(repo: "org/model", revision: HubJSON.commit)
        #expect(try await resolve(reference, client).commit == HubJSON.commit)
        #expect(client.targets == ["/api/models/org/model/tree/\(HubJSON.commit)?recursive=true"])
    }

    @Test("HF-10: file names are percent-encoded, and a reference's own endpoint is asked")
    func addresses() async throws {
        let endpoint = try #require(URL(string: "http://127.0.0.1:8080"))
        let client = HubJSON.client(HubJSON.tree([("a b/ü+.gguf", 1)]))
        let resolution = try await resolve(HuggingFaceModelReference(repo: "org/model", endpoint: endpoint), client)
        #expect(
            resolution.primaryArtifact.url.absoluteString
                == "http://127.0.0.1:8080/org/model/resolve/\(HubJSON.commit)/a%20b/%C3%BC%2B.gguf")
        #expect(client.requests.allSatisfy { $0.url?.host == "127.0.0.1" && $0.url?.port == 8080 })
    }

    @Test("resolutions survive coding")
    func coding() async throws {
        let client = HubJSON.client(HubJSON.tree([("m-Q4_0.gguf", 1)]))
        let resolution = try await resolve(HuggingFaceModelReference(repo: "org/model"), client)
        let data = try JSONEncoder().encode(resolution)
        #expect(try JSONDecoder().decode(HuggingFaceResolution.self, from: data) == resolution)
    }
}
