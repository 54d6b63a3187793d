import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct ModelOrderTests {
    private func model(_ name: String, size: Int64 = 1, id: String = "6F9619FF-8B86-D011-B42D-00C04FC964FF") throws
        -> InstalledModel
    {
        InstalledModel(
            id: try #require(UUID(uuidString: id)), displayName: name, filename: "m.gguf", sizeBytes: size)
    }

    @Test("ML-7: by size, then by name without regard to case, then by id")
    func order() throws {
        let models = [
            try model("bravo"), try model("Alpha"), try model("zulu", size: 0),
            try model("alpha", id: "00000000-8B86-D011-B42D-00C04FC964FF"), try model("Big", size: .max),
        ]
        let names = ModelOrder.sorted(models).map(\.displayName)
        #expect(names == ["zulu", "alpha", "Alpha", "bravo", "Big"])
        #expect(ModelOrder.sorted(models.reversed()).map(\.displayName) == names)
    }
}

@Suite struct DuplicateFilterTests {
    private func model(
        repo: String? = nil, file: String? = nil, sha: String? = nil, external directory: String? = nil
    ) -> InstalledModel {
        InstalledModel(
            id: UUID(), displayName: "x", filename: "m.gguf", sizeBytes: 1, hfRepo: repo, hfFilename: file, sha256: sha,
            storageLocation: InstalledModelStorageLocation(
                kind: directory == nil ? .managed : .external, directoryPath: directory))
    }

    @Test("ML-16: managed models stay, also those with the same contents")
    func managed() {
        let models = [model(repo: "o/r", file: "f", sha: "ab"), model(repo: "o/r", file: "f", sha: "ab")]
        #expect(DuplicateFilter.distinct(managed: models, external: []).count == 2)
        #expect(DuplicateFilter.distinct(managed: models, external: [model(external: "/x")]).count == 3)
    }

    @Test("ML-16: an external model goes when there is one with its hash, or its repository and file in any case")
    func external() {
        let managed = [model(repo: "Org/Repo", file: "F.gguf", sha: "AB")]
        let hash = model(sha: "ab", external: "/x")
        let name = model(repo: "org/repo", file: "f.gguf", external: "/x")
        let other = model(repo: "org/repo", file: "g.gguf", sha: "cd", external: "/x")
        let twin = model(sha: "CD", external: "/y")
        let distinct = DuplicateFilter.distinct(managed: managed, external: [hash, name, other, twin])
        #expect(distinct.map(\.id) == [managed[0].id, other.id])
    }

    @Test("C10, HF-16: repositories of a hub cache that differ in case are different")
    func caseOfRepositories() {
        let hash = String(repeating: "a", count: 40)
        let upper = model(repo: "Org/R", file: "m.gguf", external: "/hub/models--Org--R/snapshots/\(hash)")
        let lower = model(repo: "org/r", file: "m.gguf", external: "/hub/models--org--r/snapshots/\(hash)")
        #expect(DuplicateFilter.distinct(managed: [], external: [upper, lower]).count == 2)
        let studio = model(repo: "ORG/R", file: "m.gguf", external: "/studio/ORG/R")
        #expect(DuplicateFilter.distinct(managed: [], external: [upper, lower, studio]).count == 2)
    }

    @Test("models without hash and repository are all different")
    func nothingInCommon() {
        let models = [model(external: "/x"), model(external: "/x"), model(repo: "o/r", external: "/x")]
        #expect(DuplicateFilter.distinct(managed: [], external: models).count == 3)
    }
}
