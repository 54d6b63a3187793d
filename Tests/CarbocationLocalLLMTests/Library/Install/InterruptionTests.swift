import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

/// Lets every single system call of a change fail, and ends the process at each of them.
@Suite struct InterruptionTests {
    /// A library with two models, and files to install.
    private struct Site {
        let fixture: LibraryFixture
        let sources: ScratchFolder
        let kept: UUID
        let other: UUID

        init() throws {
            fixture = try LibraryFixture()
            sources = try ScratchFolder()
            kept = try fixture.place(name: "Kept")
            other = try fixture.place(name: "Other", file: "d/o-00001-of-00002.gguf", weights: .part(1, of: 2))
            try fixture.folder.write(.part(2, of: 2), to: "\(other.uuidString)/d/o-00002-of-00002.gguf")
            for part in 1...2 { try sources.write(.part(part, of: 2), to: "m-0000\(part)-of-00002.gguf") }
            try sources.write(.projector, to: "mmproj-m.gguf")
        }

        /// The artifacts of the model to install, moved or copied.
        func request(copying: Bool) -> InstallRequest {
            func artifact(_ name: String, _ role: InstalledModelArtifactRole) -> ModelLibraryInstallArtifact {
                ModelLibraryInstallArtifact(
                    sourceURL: sources.place(name), role: role, relativePath: "w/" + name,
                    copySource: copying || role == .mmproj)
            }
            return InstallRequest(
                artifacts: [
                    artifact("m-00001-of-00002.gguf", .primaryModel), artifact("m-00002-of-00002.gguf", .splitModel),
                    artifact("mmproj-m.gguf", .mmproj),
                ], displayName: "New", source: .imported)
        }

        /// Adds a projector to the model that is kept.
        @discardableResult
        func addProjector(_ calls: any FileCalls, copying: Bool, source: URL? = nil) throws -> InstalledModel {
            let model = try #require(fixture.scan().models.first { $0.id == kept })
            let projector = ModelLibraryInstallArtifact(
                sourceURL: source ?? sources.place("mmproj-m.gguf"), role: .mmproj, relativePath: "v/mmproj-m.gguf",
                copySource: copying)
            return try ProjectorInstaller(layout: fixture.layout, calls: calls).install(projector, into: model)
        }

        /// Whatever happened, what is listed can be loaded, nothing is damaged, and no model but `gone` is lost.
        func check(_ comment: Comment, losing gone: UUID? = nil) {
            let findings = fixture.scan()
            #expect(fixture.unloadable(findings).isEmpty, comment)
            #expect(findings.damaged.isEmpty, comment)
            let ids = Set(findings.models.map(\.id))
            #expect(ids.union([gone].compactMap(\.self)).isSuperset(of: [kept, other]), comment)
        }
    }

    /// Runs `body` once for every fault that can happen in it.
    private func forEachFault(
        _ body: (Site, FaultyFileCalls, Comment) throws -> Void
    ) throws {
        let quiet = FaultyFileCalls()
        try body(try Site(), quiet, "no fault")
        #expect(quiet.steps.count > 3)
        for step in 0..<quiet.steps.count {
            for fault in [
                FaultyFileCalls.Fault.failure(step: step, code: ENOSPC), .failure(step: step, code: EIO),
                .end(step: step), .endWithin(step: step),
            ] {
                try body(try Site(), FaultyFileCalls(fault), "\(fault) in \(quiet.steps)")
            }
        }
    }

    @Test("installing by moving or copying: all or nothing at every step", arguments: [true, false])
    func installing(copying: Bool) throws {
        try forEachFault { site, calls, comment in
            let installer = ModelInstaller(layout: site.fixture.layout, calls: calls, probe: nil)
            let result = Result { try installer.install(site.request(copying: copying), now: Date()) }
            site.check(comment)
            let isVisible = site.fixture.scan().models.contains { $0.displayName == "New" }
            if calls.isDead { return }
            switch result {
            case .success: #expect(isVisible, comment)
            case .failure:
                #expect(!isVisible, comment)
                #expect(site.sources.names().count == 3, comment)
                #expect(site.fixture.folder.names(".staging") == [], comment)
            }
        }
    }

    @Test("installing: files that were to be moved are never lost, wherever the process ends")
    func sources() throws {
        try forEachFault { site, calls, comment in
            let installer = ModelInstaller(layout: site.fixture.layout, calls: calls, probe: nil)
            _ = try? installer.install(site.request(copying: false), now: Date())
            let names = ["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"]
            let staged = site.fixture.folder.names(".staging").map { ".staging/\($0)/w" }
            let installed = site.fixture.folder.names().map { "\($0)/w" }
            for name in names {
                let isKept =
                    site.sources.exists(name)
                    || (staged + installed).contains { site.fixture.folder.exists("\($0)/\(name)") }
                #expect(isKept, comment)
            }
        }
    }

    @Test("deleting: the model is there whole or gone, and the others stay")
    func deleting() throws {
        try forEachFault { site, calls, comment in
            let deletion = ModelDeletion(layout: site.fixture.layout, calls: calls)
            let result = Result {
                try deletion.delete(folder: site.other.uuidString, id: site.other, now: Date())
            }
            site.check(comment, losing: site.other)
            let isVisible = site.fixture.scan().models.contains { $0.id == site.other }
            if case .success = result { #expect(!isVisible, comment) }
            if case .failure = result, !calls.isDead { #expect(isVisible, comment) }
            // The next change clears away what was left.
            try ModelDeletion(layout: site.fixture.layout, calls: SystemFileCalls())
                .delete(folder: site.other.uuidString, id: site.other, now: Date())
            StagingArea(layout: site.fixture.layout, calls: SystemFileCalls()).removeAbandoned(now: Date())
            #expect(site.fixture.folder.names(".staging") == [], comment)
        }
    }

    @Test("changing a description: the old one or the new one")
    func describing() throws {
        try forEachFault { site, calls, comment in
            let model = try #require(site.fixture.scan().models.first { $0.id == site.kept })
            let update = MetadataUpdate(layout: site.fixture.layout, calls: calls)
            let result = Result { try update.setContextLength(64, of: model) }
            site.check(comment)
            let stored = try site.fixture.metadata(site.kept)?["contextLength"]?.intValue
            #expect([64, 32_768].contains(stored), comment)
            if case .success = result { #expect(stored == 64, comment) }
            if case .failure = result, !calls.isDead { #expect(stored == 32_768, comment) }
        }
    }

    @Test(
        "adding a projector: with it or without at every step, and a file that was to be moved is never lost",
        arguments: [true, false])
    func addingProjector(copying: Bool) throws {
        try forEachFault { site, calls, comment in
            let folder = site.kept.uuidString
            let before = site.fixture.folder.names(folder)
            let result = Result { try site.addProjector(calls, copying: copying) }
            site.check(comment)
            let model = try #require(site.fixture.scan().models.first { $0.id == site.kept }, comment)
            let isThere = model.artifacts.contains { $0.role == .mmproj }
            #expect(model.sizeBytes == model.artifacts.reduce(0) { $0 + $1.sizeBytes }, comment)
            let staged = site.fixture.folder.names(".staging").map { ".staging/\($0)/projector" }
            let isKept =
                site.sources.exists("mmproj-m.gguf")
                || (staged + ["\(folder)/v/mmproj-m.gguf"]).contains { site.fixture.folder.exists($0) }
            #expect(isKept, comment)
            if calls.isDead { return }
            switch result {
            case .success: #expect(isThere, comment)
            case .failure:
                #expect(!isThere, comment)
                #expect(site.sources.exists("mmproj-m.gguf"), comment)
                #expect(site.fixture.folder.names(folder) == before, comment)
                #expect(site.fixture.folder.names(".staging") == [], comment)
            }
        }
    }

    @Test("replacing a projector: the old one, none or the new one, and what is listed is what is there")
    func replacingProjector() throws {
        let old = GGUFBuilder.projector.adding("general.name", .string("the old one")).data()
        try forEachFault { site, calls, comment in
            let place = "\(site.kept.uuidString)/v/mmproj-m.gguf"
            let source = try site.sources.write(old, to: "old.gguf")
            try site.addProjector(SystemFileCalls(), copying: false, source: source)
            let described = try site.fixture.folder.data("\(site.kept.uuidString)/metadata.json")
            let result = Result { try site.addProjector(calls, copying: false) }
            site.check(comment)
            if calls.isDead { return }
            let now = try site.fixture.folder.data(place)
            switch result {
            case .success: #expect(now == GGUFBuilder.projector.data(), comment)
            case .failure:
                #expect(now == old, comment)
                #expect(try site.fixture.folder.data("\(site.kept.uuidString)/metadata.json") == described, comment)
                #expect(site.sources.exists("mmproj-m.gguf"), comment)
                #expect(site.fixture.folder.names(".staging") == [], comment)
            }
        }
    }

    @Test("adding a projector to a model without a description: listed and whole at every step")
    func describingOrphan() throws {
        try forEachFault { site, calls, comment in
            try site.fixture.folder.remove("\(site.kept.uuidString)/metadata.json")
            let result = Result { try site.addProjector(calls, copying: false) }
            site.check(comment)
            let model = try #require(site.fixture.scan().models.first { $0.id == site.kept }, comment)
            if case .success = result { #expect(model.artifacts.count == 2, comment) }
            if case .failure = result, !calls.isDead {
                #expect(model.artifacts.count == 1, comment)
                #expect(!site.fixture.folder.exists("\(site.kept.uuidString)/metadata.json"), comment)
            }
        }
    }

    @Test("refreshing: wherever the process ends, the next one lists everything")
    @MainActor
    func refreshing() async throws {
        for step in 0..<6 {
            for fault in [
                FaultyFileCalls.Fault.end(step: step), .endWithin(step: step), .failure(step: step, code: EIO),
            ] {
                let site = try Site()
                let calls = FaultyFileCalls(fault)
                let library = site.fixture.library(calls)
                await library.refresh()
                if !calls.isDead { #expect(library.models.count == 2) }
                site.check("\(fault)")
                let next = site.fixture.library()
                await next.refresh()
                #expect(next.models.count == 2)
            }
        }
    }
}
