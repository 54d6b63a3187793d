import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct ModelStorageTests {
    private let appSupport = URL(fileURLWithPath: "/support/MyApp", isDirectory: true)

    @Test("ML-1: both group constants are the shared group")
    func groups() {
        #expect(ModelStorage.carbocationSharedGroupID == "group.com.carbocation.shared")
        #expect(ModelStorage.defaultSharedGroupID == "group.com.carbocation.shared")
    }

    @Test("ML-1: the group's container holds the models, and a custom identifier is passed on unchanged")
    func container() {
        var asked: [String] = []
        let url = ModelStorage.modelsDirectory(sharedGroupIdentifier: " odd.Group ", appSupport: appSupport) {
            asked.append($0)
            return URL(fileURLWithPath: "/groups/a", isDirectory: true)
        }
        #expect(url.path == "/groups/a/Models")
        #expect(asked == [" odd.Group "])
    }

    @Test("ML-1: without a container or an identifier the app's own folder holds the models", arguments: [nil, "x"])
    func fallback(identifier: String?) {
        let url = ModelStorage.modelsDirectory(sharedGroupIdentifier: identifier, appSupport: appSupport) { _ in nil }
        #expect(url.path == "/support/MyApp/Models")
    }

    @Test(
        "ML-1: on Linux an absolute XDG_DATA_HOME counts, else ~/.local/share",
        arguments: [
            (["XDG_DATA_HOME": "/data", "HOME": "/home/a"], "/data/App"),
            (["XDG_DATA_HOME": "relative", "HOME": "/home/a"], "/home/a/.local/share/App"),
            (["XDG_DATA_HOME": "", "HOME": "/home/a"], "/home/a/.local/share/App"),
            (["HOME": "/home/a"], "/home/a/.local/share/App"),
        ])
    func dataFolder(environment: [String: String], expected: String) {
        let url = ModelStorage.dataDirectory(appSupportFolderName: "App", folders: UserFolders(environment))
        #expect(url.path == expected)
    }

    #if os(Linux)
        @Test("ML-1: group identifiers are ignored on Linux")
        func linuxGroups() {
            #expect(ModelStorage.sharedGroupRoot(sharedGroupIdentifier: "group.x") == nil)
            let shared = ModelStorage.modelsDirectory(appSupportFolderName: "App")
            let own = ModelStorage.modelsDirectory(sharedGroupIdentifier: nil, appSupportFolderName: "App")
            #expect(shared == own)
            let expected = ModelStorage.appSupportDirectory(appSupportFolderName: "App").path + "/Models"
            #expect(shared.path == expected)
        }
    #endif

    @Test(
        "C14, HF-13: the hub cache's folder by the variables",
        arguments: [
            (["HF_HUB_CACHE": "/a", "HF_HOME": "/b", "XDG_CACHE_HOME": "/c"], "/a"),
            (["HF_HUB_CACHE": "/a"], "/a"),
            (["HF_HOME": "/b", "XDG_CACHE_HOME": "/c"], "/b/hub"),
            (["HF_HOME": "/b"], "/b/hub"),
            (["HF_HOME": " ", "XDG_CACHE_HOME": "/c"], "/c/huggingface/hub"),
            (["HF_HUB_CACHE": "", "XDG_CACHE_HOME": "/c"], "/c/huggingface/hub"),
            (["HOME": "/home/a"], "/home/a/.cache/huggingface/hub"),
            (
                ["HOME": "/home/a", "HF_HUB_CACHE": "", "HF_HOME": "", "XDG_CACHE_HOME": ""],
                "/home/a/.cache/huggingface/hub"
            ),
            (["HOME": "/home/a", "HF_HUB_CACHE": "~/hub"], "/home/a/hub"),
            (["HOME": "/home/a", "HF_HOME": "~"], "/home/a/hub"),
        ])
    func hubCache(environment: [String: String], expected: String) {
        #expect(ModelStorage.huggingFaceHubCacheDirectory(environment: environment).path == expected)
    }
}
