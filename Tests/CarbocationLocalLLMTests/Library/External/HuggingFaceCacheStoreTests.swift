import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct HuggingFaceCacheStoreTests {
    private let hub: HubCacheFixture

    init() throws { hub = try HubCacheFixture() }

    @Test("ML table, HF-15: a cached model is read-only, with repository, hash and context, and the same id each time")
    func model() throws {
        try hub.ref()
        try hub.add("Qwen3.6-27B-Q8_0.gguf", .model(context: 262_144), blob: HubCacheFixture.digest("C"))
        let model = try #require(hub.models().first)
        #expect(model.isReadOnly)
        #expect(model.displayName == "Qwen3.6-27B-Q8_0")
        #expect(model.hfRepo == "owner/name")
        #expect(model.hfFilename == "Qwen3.6-27B-Q8_0.gguf")
        #expect(model.sha256 == HubCacheFixture.digest("c"))
        #expect(model.contextLength == 262_144)
        #expect(model.quantization == "Q8_0")
        #expect(model.source == .customHF)
        #expect(hub.models() == [model])
        #expect(try GGUFMetadataReader.metadata(at: model.weightsURL(in: hub.folder.url)).architecture == "llama")
    }

    @Test("ML-16: ids are those of the documented text, with version 5 and the RFC's variant")
    func identifiers() throws {
        try hub.ref()
        try hub.add("m.gguf", blob: HubCacheFixture.digest("1"))
        let id = try #require(hub.models().first?.id)
        #expect(id == DeterministicID.uuid("hf-cache|owner/name|m.gguf|\(HubCacheFixture.digest("1"))"))
        let digits = Array(id.uuidString)
        #expect(digits[14] == "5")
        #expect("89AB".contains(digits[19]))
    }

    @Test("a model of the catalog counts as curated, whatever the case of its names")
    func curated() throws {
        try hub.ref(repo: "BARTOWSKI--qwen_Qwen3.5-9B-GGUF")
        try hub.add("Qwen_Qwen3.5-9B-Q4_K_M.gguf", repo: "BARTOWSKI--qwen_Qwen3.5-9B-GGUF")
        #expect(hub.models().first?.source == .curated)
    }

    @Test("C02: a link that leads nowhere hides only itself")
    func wrongLinks() throws {
        try hub.ref()
        try hub.add("m.gguf")
        let snapshot = "models--owner--name/snapshots/\(HubCacheFixture.main)"
        try hub.folder.link("\(snapshot)/c.gguf", to: "tmp/x/models--o--r/blobs/h")
        #expect(hub.models().map(\.displayName) == ["m"])
    }

    @Test("C04: the snapshot of main counts, and old ones are not mixed in")
    func oldSnapshots() throws {
        try hub.add("m-Q4_0.gguf", blob: HubCacheFixture.digest("1"), commit: HubCacheFixture.old)
        try hub.add("m-Q8_0.gguf", blob: HubCacheFixture.digest("2"), commit: HubCacheFixture.old)
        try hub.add("m-Q4_0.gguf", blob: HubCacheFixture.digest("3"))
        try hub.ref()
        #expect(hub.models().map(\.sha256) == [HubCacheFixture.digest("3")])
    }

    @Test("HF-14: a snapshot without a complete model gives way to the next")
    func incompleteMain() throws {
        try hub.add("m-00001-of-00002.gguf", .part(1, of: 2))
        try hub.add("old.gguf", blob: HubCacheFixture.digest("2"), commit: HubCacheFixture.old)
        try hub.ref()
        #expect(hub.models().map(\.displayName) == ["old"])
    }

    @Test("C07, HF-16: parts are found and named by the snapshot's paths")
    func parts() throws {
        try hub.ref()
        try hub.add("d/m-00001-of-00002.gguf", .part(1, of: 2), blob: HubCacheFixture.digest("1"))
        try hub.add("d/m-00002-of-00002.gguf", .part(2, of: 2), blob: HubCacheFixture.digest("2"))
        try hub.add("mmproj-F16.gguf", .projector, blob: HubCacheFixture.digest("3"))
        let model = try #require(hub.models().first)
        #expect(model.displayName == "m")
        #expect(
            model.artifacts.map(\.relativePath)
                == ["d/m-00001-of-00002.gguf", "d/m-00002-of-00002.gguf", "mmproj-F16.gguf"])
        #expect(model.artifacts.map(\.sha256) == ["1", "2", "3"].map(HubCacheFixture.digest))
        #expect(model.sizeBytes == model.artifacts.reduce(0) { $0 + $1.sizeBytes })
    }

    @Test("C08: the same file name in two folders gives two models with different names")
    func folders() throws {
        try hub.ref()
        try hub.add("BF16/model.gguf", blob: HubCacheFixture.digest("1"))
        try hub.add("Q4_K_M/model.gguf", blob: HubCacheFixture.digest("2"))
        #expect(hub.models().map(\.displayName) == ["BF16/model", "Q4_K_M/model"])
        #expect(hub.models().map(\.quantization) == ["BF16", "Q4_K_M"])
    }

    @Test("C09: a folder of the repository called blobs is an ordinary one")
    func blobsFolder() throws {
        try hub.ref()
        try hub.add("blobs/m.gguf")
        #expect(hub.models().map(\.hfFilename) == ["blobs/m.gguf"])
    }

    @Test("C10: repositories that differ in case stay apart")
    func caseOfRepositories() throws {
        for (repo, digit) in [("Org--R", "1"), ("org--r", "2")] as [(String, Character)] {
            try hub.ref(repo: repo)
            try hub.add("m.gguf", blob: HubCacheFixture.digest(digit), repo: repo)
        }
        #expect(hub.models().map(\.hfRepo) == ["Org/R", "org/r"])
        #expect(Set(hub.models().map(\.id)).count == 2)
    }

    @Test("C11: nested refs are found, and snapshots without any are listed")
    func refs() throws {
        try hub.add("pr.gguf")
        try hub.add("other.gguf", commit: HubCacheFixture.old)
        try hub.ref("refs/pr/1")
        #expect(hub.models().map(\.displayName) == ["pr"])
        try hub.folder.remove("models--owner--name/refs")
        #expect(hub.models().count == 1)
    }

    @Test("HF-14: without refs the newest snapshot counts")
    func newest() throws {
        try hub.add("new.gguf")
        try hub.add("old.gguf", commit: HubCacheFixture.old)
        let snapshots = "models--owner--name/snapshots"
        try hub.folder.setModified("\(snapshots)/\(HubCacheFixture.main)", Date(timeIntervalSince1970: 2_000))
        try hub.folder.setModified("\(snapshots)/\(HubCacheFixture.old)", Date(timeIntervalSince1970: 1_000))
        #expect(hub.models().map(\.displayName) == ["new"])
        try hub.folder.setModified("\(snapshots)/\(HubCacheFixture.old)", Date(timeIntervalSince1970: 3_000))
        #expect(hub.models().map(\.displayName) == ["old"])
    }

    @Test(
        "C12: a ref is trimmed; one that is no commit is ignored",
        arguments: [
            ("\(HubCacheFixture.main)\n", "new"), (" \(HubCacheFixture.main)\r\n", "new"), ("../../etc", "old"),
            ("", "old"), (String(repeating: "a", count: 5_000), "old"),
        ])
    func refText(text: String, expected: String) throws {
        try hub.add("new.gguf")
        try hub.add("old.gguf", commit: HubCacheFixture.old)
        let snapshots = "models--owner--name/snapshots"
        try hub.folder.setModified("\(snapshots)/\(HubCacheFixture.main)", Date(timeIntervalSince1970: 1_000))
        try hub.folder.setModified("\(snapshots)/\(HubCacheFixture.old)", Date(timeIntervalSince1970: 2_000))
        try hub.ref("main", text)
        #expect(hub.models().map(\.displayName) == [expected])
    }

    @Test("C13: links of several levels are accepted as long as they end in the cache")
    func chains() throws {
        try hub.ref()
        try hub.folder.write(.model(), to: "blobs/ab/\(HubCacheFixture.digest("2"))")
        try hub.folder.link(
            "models--owner--name/blobs/h", to: "../../blobs/ab/\(HubCacheFixture.digest("2"))")
        let snapshot = "models--owner--name/snapshots/\(HubCacheFixture.main)"
        try hub.folder.link("\(snapshot)/m.gguf", to: "../../blobs/h")
        let outside = try ScratchFolder()
        try outside.write(.model(), to: "x.gguf")
        try hub.folder.link("\(snapshot)/outside.gguf", to: outside.path + "/x.gguf")
        let model = try #require(hub.models().first)
        #expect(hub.models().count == 1)
        #expect(model.sha256 == HubCacheFixture.digest("2"))
        #expect(model.sizeBytes == Int64(GGUFBuilder.model().data().count))
    }

    @Test("HF-15: regular files in a snapshot are fine; a blob that is no SHA-256 gives no hash")
    func otherLayouts() throws {
        try hub.ref()
        try hub.folder.write(.model(), to: "models--owner--name/snapshots/\(HubCacheFixture.main)/a.gguf")
        try hub.add("b.gguf", blob: String(repeating: "d", count: 40))
        let models = hub.models()
        #expect(models.map(\.displayName) == ["a", "b"])
        #expect(models.map(\.sha256) == [nil, nil])
        let expected = DeterministicID.uuid("hf-cache|owner/name|a.gguf|\(HubCacheFixture.main)")
        #expect(models.first?.id == expected)
    }

    @Test("HF-13: the cache's folder may be a link")
    func linkedRoot() throws {
        try hub.ref()
        try hub.add("m.gguf")
        let other = try ScratchFolder()
        try other.link("hub", to: hub.folder.path)
        let calls = SystemFileCalls()
        let store = HuggingFaceCacheStore(
            root: other.path + "/hub", calls: calls, headers: HeaderTable(calls: calls, known: [:]))
        #expect(store.models().map(\.displayName) == ["m"])
    }

    @Test(
        "other folders and odd names in a cache are no repositories",
        arguments: [
            "datasets--o--r", "models--o", "models----r", "models--o--", "models--..--..", "models--o--r x",
            "version.txt",
        ])
    func otherFolders(name: String) {
        #expect(HuggingFaceCacheStore.repository(ofFolder: name) == nil)
    }

    @Test("a link to a folder above does not make the walk endless")
    func loops() throws {
        try hub.ref()
        try hub.add("m.gguf")
        try hub.folder.link("models--owner--name/snapshots/\(HubCacheFixture.main)/loop", to: "..")
        try hub.folder.link("models--owner--name/refs/loop", to: ".")
        #expect(hub.models().map(\.displayName) == ["m"])
    }
}
