import CarbocationLocalLLM
import Foundation

/// The file that remembers which model the user chose.
///
/// It lies in the models folder, so that each library has a choice of its own.
struct SelectionFile: Sendable, Hashable {
    private static let name = ".selection"
    private static let sizeLimit = 4096

    private let folder: String
    private var path: String { folder + "/" + Self.name }

    init(modelsRoot: URL) {
        folder = LibraryLayout(root: modelsRoot).root
    }

    /// The selection; nil when nothing was selected, or the file holds something else.
    func read() throws -> LLMModelSelection? {
        do throws(FileFailure) {
            let bytes = try SystemFileCalls().contents(of: path, limit: Self.sizeLimit).bytes
            return LLMModelSelection(storageValue: String(decoding: bytes, as: UTF8.self))
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Replaces the selection in one step: whoever reads at the same time sees the old one or the new one.
    func write(_ selection: LLMModelSelection) throws {
        let calls = SystemFileCalls()
        let draft = "\(path).\(UUID().uuidString)"
        try calls.ensureDirectories(folder)
        do {
            try calls.writeFile(draft, Array((selection.storageValue + "\n").utf8))
            try calls.rename(draft, to: path)
        } catch {
            try? calls.removeFile(draft)
            throw error
        }
    }

    /// Forgets the selection.
    func remove() throws {
        do throws(FileFailure) {
            try SystemFileCalls().removeFile(path)
        } catch {
            guard error.isMissing else { throw error }
        }
    }
}
