import Foundation
import GGUFFormat
import TestSupport
import Testing

@Suite("Split models")
struct GGUFShardSetTests {
    /// Writes three parts; `change` can spoil one of them.
    private func writeParts(
        to folder: URL, only numbers: [Int] = [1, 2, 3], total: Int32 = 6,
        change: (Int, inout (index: UInt16, count: UInt16)) -> Void = { _, _ in }
    ) throws {
        for number in numbers {
            var split = (index: UInt16(number - 1), count: UInt16(3))
            change(number, &split)
            var builder = GGUFBuilder()
            if number == 1 {
                builder.add("general.architecture", .string("llama"))
                builder.add("llama.context_length", .uint32(4_096))
            }
            builder.add("split.no", .uint16(split.index))
            builder.add("split.count", .uint16(split.count))
            builder.add("split.tensors.count", .int32(total))
            builder.add(.float32("a.\(number)", dimensions: [8]))
            builder.add(.float32("b.\(number)", dimensions: [8]))
            try builder.write(to: part(number, in: folder))
        }
    }

    private func part(_ number: Int, in folder: URL) -> URL {
        folder.appendingPathComponent("m-0000\(number)-of-00003.gguf")
    }

    private func reason(_ url: URL) -> String {
        readerError { () throws(GGUFReaderError) in try GGUFShardSet(containing: url).agreedFacts() }?.malformedReason
            ?? ""
    }

    @Test("F10: a part alone is an error that lists the missing ones")
    func alone() throws {
        try withTemporaryFolder { folder in
            try writeParts(to: folder, only: [2])
            let error = readerError { () throws(GGUFReaderError) in try GGUFShardSet(containing: part(2, in: folder)) }
            #expect(
                error == .unreadable("parts of the model are missing: m-00001-of-00003.gguf, m-00003-of-00003.gguf."))
        }
    }

    @Test("F10: any part leads to the first, which knows the context", arguments: 1...3)
    func anyPart(number: Int) throws {
        try withTemporaryFolder { folder in
            try writeParts(to: folder)
            let set = try GGUFShardSet(containing: part(number, in: folder))
            #expect(set.urls.map(\.lastPathComponent) == (1...3).map { "m-0000\($0)-of-00003.gguf" })
            let facts = try set.agreedFacts()
            #expect(facts[0].trainingContextLength == 4_096)
            #expect(facts.map(\.splitIndex) == [0, 1, 2])
            for url in set.urls { #expect(try GGUFFile.check(at: url).parameterCount == 16) }
        }
    }

    @Test("F11: parts that disagree about their number", arguments: 1...3)
    func differentCounts(number: Int) throws {
        try withTemporaryFolder { folder in
            try writeParts(to: folder) { if $0 == number { $1.count = 4 } }
            #expect(reason(part(1, in: folder)).contains("m-0000\(number)-of-00003.gguf\" states 4 parts, its name 3"))
        }
    }

    @Test("F11: a count that the name contradicts")
    func nameContradicts() throws {
        try withTemporaryFolder { folder in
            try writeParts(to: folder, only: [1, 2])
            for number in 1...2 {
                try FileManager.default.moveItem(
                    at: part(number, in: folder), to: folder.appendingPathComponent("m-0000\(number)-of-00002.gguf"))
            }
            #expect(
                reason(folder.appendingPathComponent("m-00001-of-00002.gguf")).contains("states 3 parts, its name 2"))
        }
    }

    @Test("F10 F11: the position in the header counts from 0 and agrees with the name")
    func swapped() throws {
        try withTemporaryFolder { folder in
            try writeParts(to: folder) { if $0 > 1 { $1.index = $0 == 2 ? 2 : 1 } }
            #expect(reason(part(1, in: folder)).contains("states part 3, its name part 2"))
        }
    }

    @Test("F11: the tensors of all parts add up to the number that the first states")
    func tensorTotal() throws {
        try withTemporaryFolder { folder in
            try writeParts(to: folder, total: 7)
            #expect(reason(part(3, in: folder)).contains("hold 6 tensors instead of 7"))
        }
    }

    @Test("a part whose name does not say so is refused, a whole file is not")
    func renamed() throws {
        try withTemporaryFolder { folder in
            try writeParts(to: folder, only: [1])
            let plain = folder.appendingPathComponent("plain.gguf")
            try FileManager.default.moveItem(at: part(1, in: folder), to: plain)
            #expect(reason(plain).contains("one of 3 parts"))
            try GGUFBuilder.smallModel().write(to: plain)
            #expect(try GGUFShardSet(containing: plain).agreedFacts().count == 1)
        }
    }

    @Test("names with impossible numbers are refused before any file is read")
    func impossible() {
        #expect(reason(URL(fileURLWithPath: "/nowhere/m-00004-of-00003.gguf")).contains("no part"))
    }
}
