import GGUFFormat
import Testing

@Suite("Names of split parts")
struct GGUFSplitNameTests {
    @Test("F10: parts are numbered from 1 in names")
    func parts() throws {
        let name = try #require(GGUFSplitName("m-q4_0-00002-of-00003.gguf"))
        #expect(name.prefix == "m-q4_0")
        #expect(name.number == 2)
        #expect(name.count == 3)
        #expect(
            name.allParts == ["m-q4_0-00001-of-00003.gguf", "m-q4_0-00002-of-00003.gguf", "m-q4_0-00003-of-00003.gguf"])
    }

    @Test("the spelling of the extension and folders are kept")
    func spelling() throws {
        let name = try #require(GGUFSplitName("Q8/m-00003-of-00012.GGUF"))
        #expect(name.part(1) == "Q8/m-00001-of-00012.GGUF")
        #expect(name.part(12) == "Q8/m-00012-of-00012.GGUF")
    }

    @Test(
        "names of whole files",
        arguments: [
            "m.gguf", "m-00001-of-00001.gguf", "m-1-of-2.gguf", "m-000001-of-000002.gguf", "m-00001-of-00002.bin",
            "-00001-of-00002.gguf", "m-0000a-of-00002.gguf", "m_00001-of-00002.gguf", "m-00001_of_00002.gguf", "",
            ".gguf",
            "m-00001-of-00002", "m-٠٠٠٠١-of-00002.gguf",
        ])
    func wholeFiles(fileName: String) {
        #expect(GGUFSplitName(fileName) == nil)
        #expect(!GGUFSplitName.isImpossible(fileName))
    }

    @Test(
        "numbers that no part can have",
        arguments: [
            "m-00000-of-00002.gguf", "m-00003-of-00002.gguf", "m-00000-of-00000.gguf", "m-00001-of-00000.gguf",
            "m-00002-of-00001.gguf",
        ])
    func impossible(fileName: String) {
        #expect(GGUFSplitName(fileName) == nil)
        #expect(GGUFSplitName.isImpossible(fileName))
    }

    @Test("possible numbers", arguments: [(1, 2), (2, 2), (99_999, 99_999)])
    func possible(number: Int, count: Int) throws {
        let name = try #require(GGUFSplitName("m-00001-of-00002.gguf")).part(number)
        #expect(name.hasPrefix("m-"))
        let digits = String(repeating: "0", count: 5 - String(number).count) + String(number)
        let total = String(repeating: "0", count: 5 - String(count).count) + String(count)
        #expect(GGUFSplitName("m-\(digits)-of-\(total).gguf")?.number == number)
        #expect(!GGUFSplitName.isImpossible("m-\(digits)-of-\(total).gguf"))
    }
}
