import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("Unfinished downloads")
struct PartialCatalogTests {
    private let folder = DownloadFolder()

    /// Writes a sidecar and data by hand.
    private func write(_ name: String, sidecar: String, data: Int? = 12) throws {
        try FileManager.default.createDirectory(at: folder.partials, withIntermediateDirectories: true)
        try Data(sidecar.utf8).write(to: folder.partials.appendingPathComponent("cllm-partial-\(name).json"))
        guard let data else { return }
        try Data(count: data).write(to: folder.partials.appendingPathComponent("cllm-partial-\(name).gguf"))
    }

    private var list: [PartialDownload] { ModelDownloader.listPartials(in: folder.url) }

    @Test("DL-3: done chunks count, not the size of the file that was made in advance")
    func chunks() throws {
        try write(
            "0123456789ab",
            sidecar: #"{"url":"https://h/m.gguf","totalBytes":100,"chunkSize":10,"doneChunks":[0,2,3]}"#, data: 100)
        let partial = try #require(list.first)
        #expect(partial.bytesOnDisk == 30)
        #expect(partial.fractionComplete == 0.3)
        #expect(partial.id == "0123456789ab")
        #expect(partial.partialURL.lastPathComponent == "cllm-partial-0123456789ab.gguf")
        #expect(partial.sidecarURL.lastPathComponent == "cllm-partial-0123456789ab.json")
        #expect(partial.sourceURL.absoluteString == "https://h/m.gguf")
        #expect(!partial.isComplete)
    }

    @Test(
        "DL-3: without a list of chunks the size of the data counts, capped at the total",
        arguments: [(12, 100, 12), (150, 100, 100), (0, 100, 0)])
    func size(data: Int, total: Int, expected: Int64) throws {
        try write("0123456789ab", sidecar: #"{"url":"https://h/m.gguf","totalBytes":\#(total)}"#, data: data)
        #expect(list.first?.bytesOnDisk == expected)
    }

    @Test("DL-3: names, sorted without regard to case")
    func names() throws {
        try write(
            "000000000001", sidecar: #"{"url":"https://h/z.gguf","totalBytes":9,"repo":"o/r","path":"d/bravo.gguf"}"#)
        try write("000000000002", sidecar: #"{"url":"https://h/d/charlie.gguf","totalBytes":9,"displayName":" "}"#)
        try write("000000000003", sidecar: #"{"url":"https://h/z.gguf","totalBytes":9,"displayName":"Alpha"}"#)
        try write(
            "000000000004",
            sidecar: #"{"url":"https://h/z.gguf","totalBytes":9,"repo":"o/r","path":"delta-00001-of-00002.gguf"}"#)
        #expect(list.map(\.displayName) == ["Alpha", "bravo", "charlie.gguf", "delta"])
    }

    @Test(
        "DL-3: what cannot be read or has no size is not listed",
        arguments: [
            "", "{", "[]", #"{"totalBytes":5}"#, #"{"url":"https://h/x"}"#, #"{"url":"https://h/x","totalBytes":0}"#,
            #"{"url":"https://h/x","totalBytes":-5}"#, #"{"url":"https://h/x","totalBytes":1e30}"#,
            #"{"url":"https://h/x","totalBytes":5,"schemaVersion":99}"#,
        ])
    func unreadable(sidecar: String) throws {
        try write("0123456789ab", sidecar: sidecar)
        #expect(list.isEmpty)
        #expect(folder.partialNames.contains("cllm-partial-0123456789ab.json"))
    }

    @Test("DL-3: a sidecar without data is removed, unless its download is going on")
    func orphan() throws {
        try write("0123456789ab", sidecar: #"{"url":"https://h/x","totalBytes":5}"#, data: nil)
        let lockURL = folder.partials.appendingPathComponent("cllm-partial-0123456789ab.lock")
        guard case .acquired(let lock) = try LocalFileSystem().tryLock(lockURL) else {
            Issue.record("no lock")
            return
        }
        #expect(list.isEmpty)
        #expect(folder.partialNames.contains("cllm-partial-0123456789ab.json"))
        lock.release()
        #expect(list.isEmpty)
        #expect(folder.partialNames.isEmpty)
    }

    @Test("what a sudden end left without a sidecar is removed; finished files and strangers stay")
    func strays() throws {
        try FileManager.default.createDirectory(at: folder.partials, withIntermediateDirectories: true)
        let kept = ["cllm-complete-0123456789ab.gguf", "cllm-partial-other.gguf", "notes.txt"]
        let strays = [
            "cllm-partial-0123456789ab.gguf", "cllm-partial-0123456789ab.lock", "cllm-partial-0123456789ab.json.new",
            "cllm-install-ba9876543210.gguf",
        ]
        for name in kept + strays { try Data("x".utf8).write(to: folder.partials.appendingPathComponent(name)) }
        #expect(list.isEmpty)
        #expect(folder.partialNames == kept.sorted())
    }

    @Test("DL-3: a complete part waits for its siblings")
    func complete() throws {
        try write("0123456789ab", sidecar: #"{"url":"https://h/x.gguf","totalBytes":12,"complete":true}"#)
        #expect(list.first?.isComplete == true)
        #expect(list.first?.fractionComplete == 1)
        let data = folder.partials.appendingPathComponent("cllm-partial-0123456789ab.gguf")
        let finished = folder.partials.appendingPathComponent("cllm-complete-0123456789ab.gguf")
        try FileManager.default.moveItem(at: data, to: finished)
        #expect(list.first?.partialURL.lastPathComponent == finished.lastPathComponent)
        #expect(list.first?.isComplete == true)
    }

    @Test("no folder, nothing listed and nothing made")
    func empty() {
        #expect(list.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.partials.path))
    }

    @Test("deleting removes all files of a download, and is no error when they are gone")
    func delete() throws {
        try write("0123456789ab", sidecar: #"{"url":"https://h/x.gguf","totalBytes":12}"#)
        let partial = try #require(list.first)
        try ModelDownloader.deletePartial(partial)
        #expect(folder.partialNames.isEmpty)
        try ModelDownloader.deletePartial(partial)
        try FileManager.default.removeItem(at: folder.partials)
        try ModelDownloader.deletePartial(partial)
    }

    @Test("a download that is going on cannot be deleted")
    func deleteRunning() throws {
        try write("0123456789ab", sidecar: #"{"url":"https://h/x.gguf","totalBytes":12}"#)
        let partial = try #require(list.first)
        let lockURL = folder.partials.appendingPathComponent("cllm-partial-0123456789ab.lock")
        guard case .acquired(let lock) = try LocalFileSystem().tryLock(lockURL) else {
            Issue.record("no lock")
            return
        }
        #expect(throws: ModelDownloaderError.self) { try ModelDownloader.deletePartial(partial) }
        lock.release()
        #expect(list.count == 1)
    }

    @Test("DL-2: a sidecar holds neither tokens nor headers, and survives coding")
    func sidecar() throws {
        var sidecar = DownloadSidecar(url: DownloadRig.url)
        (sidecar.etag, sidecar.lastModified, sidecar.totalBytes) = ("\"v1\"", "date", 25)
        (sidecar.chunkSize, sidecar.doneChunks, sidecar.sha256) = (10, [0, 2], "abc")
        (sidecar.repo, sidecar.revision, sidecar.commit) = ("o/r", "main", "c")
        (sidecar.path, sidecar.role, sidecar.setID, sidecar.complete) = ("p.gguf", .splitModel, "s", true)
        let data = try JSONEncoder().encode(sidecar)
        #expect(try JSONDecoder().decode(DownloadSidecar.self, from: data) == sidecar)
        let keys = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any]).keys
        #expect(
            Set(keys) == [
                "schemaVersion", "url", "etag", "lastModified", "totalBytes", "displayName", "chunkSize", "doneChunks",
                "repo", "revision", "commit", "path", "role", "sha256", "setID", "complete",
            ])
    }

    @Test("DL-1: names of the files")
    func fileNames() throws {
        let files = PartialFiles(root: folder.url, source: try #require(URL(string: "abc")))
        #expect(files.key == "ba7816bf8f01")
        #expect(files.data.path.hasSuffix("/.partials/cllm-partial-ba7816bf8f01.gguf"))
        #expect(files.sidecar.lastPathComponent == "cllm-partial-ba7816bf8f01.json")
        #expect(files.lock.lastPathComponent == "cllm-partial-ba7816bf8f01.lock")
        #expect(PartialFiles.key(inName: "cllm-partial-ba7816bf8f01.json.new") == "ba7816bf8f01")
        for name in ["cllm-partial-.gguf", "x", "cllm-partial-BA7816BF8F01.gguf", "cllm-other-ba7816bf8f01.gguf"] {
            #expect(PartialFiles.key(inName: name) == nil)
        }
    }
}

@Suite("ModelDownloader")
struct ModelDownloaderTests {
    @Test("HF-10, HF-2: addresses of files on a hub")
    func addresses() throws {
        #expect(
            ModelDownloader.huggingFaceResolveURL(hfRepo: "o/r", hfFilename: "d/a b.gguf")?.absoluteString
                == "https://huggingface.co/o/r/resolve/main/d/a%20b.gguf")
        let endpoint = try #require(URL(string: "http://127.0.0.1:8080/"))
        #expect(
            ModelDownloader.huggingFaceResolveURL(
                hfRepo: "o/r", hfFilename: "x.gguf", revision: "refs/pr/1", endpoint: endpoint)?.absoluteString
                == "http://127.0.0.1:8080/o/r/resolve/refs%2Fpr%2F1/x.gguf")
        for (repo, file, revision) in [
            ("o", "x.gguf", "main"), ("o/..", "x.gguf", "main"), ("o/r", "../x.gguf", "main"), ("o/r", "", "main"),
            ("o/r", #"a\b"#, "main"), ("o/r", "x.gguf", ""), ("o/r", "x.gguf", "../main"), ("o/r?x", "x.gguf", "main"),
        ] {
            #expect(ModelDownloader.huggingFaceResolveURL(hfRepo: repo, hfFilename: file, revision: revision) == nil)
        }
    }
}
