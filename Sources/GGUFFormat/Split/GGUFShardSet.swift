package import Foundation

/// The files of one model, in the order of its parts; a single file is a set of one.
package struct GGUFShardSet: Sendable, Equatable {
    /// All parts; the first holds the metadata of the model.
    package let urls: [URL]

    /// Finds the parts that belong to any one of them, by name and in the same folder.
    ///
    /// - Throws: ``GGUFReaderError/unreadable(_:)`` naming the parts that do not exist, and
    ///   ``GGUFReaderError/malformed(_:)`` for a name whose numbers make no sense.
    package init(containing url: URL) throws(GGUFReaderError) {
        let fileName = url.lastPathComponent
        guard !GGUFSplitName.isImpossible(fileName) else {
            throw .malformed("the numbers in its name \(fileName.quotedForMessage) are those of no part.")
        }
        guard let name = GGUFSplitName(fileName) else {
            urls = [url]
            return
        }
        let folder = url.deletingLastPathComponent()
        urls = name.allParts.map { folder.appendingPathComponent($0, isDirectory: false) }
        let missing = urls.filter { !FileManager.default.fileExists(atPath: $0.path) }.map(\.lastPathComponent)
        guard missing.isEmpty else {
            let shown = missing.prefix(10).joined(separator: ", ") + (missing.count > 10 ? ", …" : "")
            throw .unreadable("parts of the model are missing: \(shown).")
        }
    }

    /// Reads the facts of every part and refuses parts that disagree with each other or with their names.
    ///
    /// - Returns: the facts in the order of `urls`.
    package func agreedFacts() throws(GGUFReaderError) -> [GGUFModelFacts] {
        var headers: [GGUFHeader] = []
        for url in urls { headers.append(try GGUFFile.header(at: url)) }
        return try agreedFacts(of: headers)
    }

    /// The same for headers that were read already, in the order of `urls`.
    package func agreedFacts(of headers: [GGUFHeader]) throws(GGUFReaderError) -> [GGUFModelFacts] {
        var facts: [GGUFModelFacts] = []
        var tensorCount: UInt64 = 0
        for (url, header) in zip(urls, headers) {
            facts.append(GGUFModelFacts(header: header, fileName: url.lastPathComponent))
            tensorCount &+= header.tensorCount
        }
        if urls.count == 1 {
            try checkStandsAlone(facts[0])
        } else {
            for (index, part) in facts.enumerated() { try check(part, at: index) }
            if let stated = facts[0].splitTensorCount, UInt64(exactly: stated) != tensorCount {
                throw .malformed("its parts hold \(tensorCount) tensors instead of \(stated).")
            }
        }
        return facts
    }

    /// A part that was renamed cannot find its siblings.
    private func checkStandsAlone(_ facts: GGUFModelFacts) throws(GGUFReaderError) {
        guard let count = facts.splitCount, count > 1 else { return }
        throw .malformed("it is one of \(count) parts of a model, but its name does not say which.")
    }

    private func check(_ facts: GGUFModelFacts, at index: Int) throws(GGUFReaderError) {
        let name = urls[index].lastPathComponent.quotedForMessage
        guard facts.splitCount == urls.count else {
            let stated = facts.splitCount.map(String.init) ?? "no number of"
            throw .malformed("\(name) states \(stated) parts, its name \(urls.count).")
        }
        guard facts.splitIndex == index else {
            let stated = facts.splitIndex.map { "part \($0 + 1)" } ?? "no part number"
            throw .malformed("\(name) states \(stated), its name part \(index + 1).")
        }
    }
}
