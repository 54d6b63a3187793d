import Foundation
import GGUFFormat
import TestSupport
import Testing

@testable import CarbocationLocalLLM

#if canImport(Observation)
    import Observation
#endif

@MainActor
@Suite struct ModelLibraryRefreshTests {
    private let fixture: LibraryFixture

    init() throws { fixture = try LibraryFixture() }

    @Test("ML-14: a second refresh opens no model file, nor does the first one of another process")
    func opening() async throws {
        for _ in 0..<3 { try fixture.place() }
        let calls = FaultyFileCalls()
        let library = fixture.library(calls)
        await library.refresh()
        #expect(calls.openedModels.count == 3)
        calls.reset()
        await library.refresh()
        #expect(calls.openedModels.isEmpty)
        #expect(calls.openedFiles.isEmpty)
        #expect(calls.steps.isEmpty)
        let next = fixture.library(calls)
        await next.refresh()
        #expect(calls.openedModels.isEmpty)
        #expect(calls.openedFiles == [".index"])
        #expect(next.models == library.models)
    }

    @Test("ML-14: refreshes that come together share scans, and each sees what was there before it")
    func coalescing() async throws {
        let calls = CountingFileCalls()
        let library = fixture.library(calls)
        let id = try fixture.place()
        let refreshes = (0..<50).map { _ in Task { await library.refresh() } }
        for refresh in refreshes { await refresh.value }
        #expect(library.models.map(\.id) == [id])
        #expect(calls.rootListings <= 2)
        let other = try fixture.place()
        await library.refresh()
        #expect(Set(library.models.map(\.id)) == [id, other])
    }

    @Test("ML-14: a refresh that comes while another one scans gets a scan of its own")
    func lateComers() async throws {
        let calls = CountingFileCalls()
        let gate = Gate()
        let library = fixture.library(calls)
        calls.onFirstListing { gate.open() }
        let first = Task { await library.refresh() }
        await gate.pass()
        let id = try fixture.place()
        await library.refresh()
        await first.value
        #expect(library.models.map(\.id) == [id])
    }

    @Test("ML-13: file work runs off the main thread")
    func threads() async throws {
        let calls = CountingFileCalls()
        try fixture.place()
        await fixture.library(calls).refresh()
        #expect(calls.rootListings > 0)
        #expect(!calls.wasOnMainThread)
    }

    #if canImport(Observation)
        @Test("ML-13: the lists can be observed, and an unchanged tree changes nothing")
        func observation() async throws {
            let changes = Locked(0)
            let library = fixture.library()
            func observe() {
                withObservationTracking {
                    _ = library.models
                    _ = library.damagedModels
                    _ = library.partials
                } onChange: {
                    changes.withLock { $0 += 1 }
                }
            }
            observe()
            await library.refresh()
            #expect(changes.withLock { $0 } == 0)
            try fixture.place()
            await library.refresh()
            #expect(changes.withLock { $0 } == 1)
            observe()
            await library.refresh()
            #expect(changes.withLock { $0 } == 1)
        }
    #endif

    @Test("a refresh neither creates the root nor writes where it may not")
    func noRoot() async throws {
        let root = fixture.folder.place("none/yet")
        let library = ModelLibrary(root: root, searchConfiguration: .managedOnly)
        await library.refresh()
        #expect(library.models.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: root.path))
    }

    @Test("ML-14: a damaged index is rebuilt")
    func damagedIndex() async throws {
        let id = try fixture.place()
        await fixture.library().refresh()
        let sound = try fixture.folder.data(".index")
        try fixture.folder.write("garbage", to: ".index")
        let library = fixture.library()
        await library.refresh()
        #expect(library.models.map(\.id) == [id])
        #expect(try fixture.folder.data(".index").count == sound.count)
    }

    @Test("ML-8: staging folders older than a day are removed by the first refresh")
    func staging() async throws {
        try fixture.folder.write(.model(), to: ".staging/\(UUID().uuidString)-staged/m.gguf")
        await fixture.library().refresh()
        #expect(fixture.folder.names(".staging").count == 1)
        let library = fixture.library(now: { Date(timeIntervalSinceNow: 90_000) })
        await library.refresh()
        #expect(library.models.isEmpty)
        #expect(fixture.folder.names(".staging").isEmpty)
    }
}

/// The system's calls, with a look at who makes them.
final class CountingFileCalls: FileCalls {
    private struct State {
        var listings = 0
        var wasOnMainThread = false
        var onFirstListing: (@Sendable () -> Void)?
    }

    private let system = SystemFileCalls()
    private let state = Locked(State())

    var rootListings: Int { state.withLock { $0.listings } }
    var wasOnMainThread: Bool { state.withLock { $0.wasOnMainThread } }

    func onFirstListing(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onFirstListing = body } }

    func entries(of directory: String) throws(FileFailure) -> [DirectoryEntry] {
        let entries = try system.entries(of: directory)
        guard !directory.hasSuffix(".staging") else { return entries }
        let isMain = Thread.isMainThread
        let notify = state.withLock { state in
            state.listings += 1
            if isMain { state.wasOnMainThread = true }
            defer { state.onFirstListing = nil }
            return state.onFirstListing
        }
        notify?()
        return entries
    }

    func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus {
        try system.status(of: path, followingLinks: followingLinks)
    }

    func resolvedPath(of path: String) throws(FileFailure) -> String { try system.resolvedPath(of: path) }

    func model(at path: String) throws(GGUFReaderError) -> any ByteSource { try system.model(at: path) }

    func open(_ path: String, for purpose: FileOpening) throws(FileFailure) -> Int32 {
        try system.open(path, for: purpose)
    }

    func status(of descriptor: Int32, at path: String) throws(FileFailure) -> FileStatus {
        try system.status(of: descriptor, at: path)
    }

    func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at path: String
    ) throws(FileFailure) -> Int { try system.read(descriptor, into: buffer, at: path) }

    func write(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at path: String
    ) throws(FileFailure) -> Int { try system.write(descriptor, bytes, at: path) }

    func synchronize(_ descriptor: Int32, at path: String) throws(FileFailure) {
        try system.synchronize(descriptor, at: path)
    }

    func close(_ descriptor: Int32) { system.close(descriptor) }
    func createDirectory(_ path: String) throws(FileFailure) { try system.createDirectory(path) }
    func rename(_ path: String, to destination: String) throws(FileFailure) {
        try system.rename(path, to: destination)
    }
    func removeFile(_ path: String) throws(FileFailure) { try system.removeFile(path) }
    func removeDirectory(_ path: String) throws(FileFailure) { try system.removeDirectory(path) }
}
