import Foundation
import Testing

@testable import CLLMCommands

@Suite struct ImportGroupTests {
    private static let sound: [(paths: [String], groups: [[String]])] = [
        (["/a/m.gguf"], [["/a/m.gguf"]]),
        (["/a/m.gguf", "/a/n.gguf"], [["/a/m.gguf"], ["/a/n.gguf"]]),
        (["/a/m.gguf", "/b/m.gguf"], [["/a/m.gguf"], ["/b/m.gguf"]]),
        (
            ["/a/m-00002-of-00002.gguf", "/a/n.gguf", "/a/m-00001-of-00002.gguf"],
            [["/a/m-00002-of-00002.gguf", "/a/m-00001-of-00002.gguf"], ["/a/n.gguf"]]
        ),
        (["/a/m-00001-of-00002.gguf", "/a/m.gguf"], [["/a/m-00001-of-00002.gguf"], ["/a/m.gguf"]]),
        (["/a/mmproj-m.gguf", "/a/m.gguf"], [["/a/mmproj-m.gguf", "/a/m.gguf"]]),
        (["/a/mmproj-m.gguf"], [["/a/mmproj-m.gguf"]]),
    ]

    @Test("puts files together that are one model", arguments: sound)
    func groups(paths: [String], groups: [[String]]) {
        #expect(ImportGroup.groups(of: paths)?.map { $0.urls.map(\.path) } == groups)
    }

    @Test("a projector among several models is nobody's")
    func unclear() {
        #expect(ImportGroup.groups(of: ["/a/mmproj-m.gguf", "/a/m.gguf", "/a/n.gguf"]) == nil)
    }
}
