// swift-tools-version: 6.2

import Foundation
import PackageDescription

// The published llama artifact of this release for each host; empty on development branches.
#if os(Linux)
    let llamaBinaryArtifactURL = ""
    let llamaBinaryArtifactChecksum = ""
#else
    let llamaBinaryArtifactURL = ""
    let llamaBinaryArtifactChecksum = ""
#endif

// Apple's SDKs come with libxml2; pkg-config would find another one there.
#if os(Linux)
    let libxml2PackageName: String? = "libxml-2.0"
#else
    let libxml2PackageName: String? = nil
#endif

/// Where the llama artifact comes from.
///
/// The first that applies wins.
enum LlamaArtifact {
    case local(path: String)
    case published(url: String, checksum: String)
    case none

    static func chosen() -> LlamaArtifact {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["CARBOCATION_LOCAL_LLM_BINARY_ARTIFACT_PATH"], !path.isEmpty {
            return .local(path: relativeToPackage(path))
        }
        if environment["CARBOCATION_LOCAL_LLM_FORCE_SOURCE_LLAMA"] == "1" {
            return .local(path: sourceArtifactPath)
        }
        if !llamaBinaryArtifactURL.isEmpty, !llamaBinaryArtifactChecksum.isEmpty {
            return .published(url: llamaBinaryArtifactURL, checksum: llamaBinaryArtifactChecksum)
        }
        let sourceArtifact = "\(Context.packageDirectory)/\(sourceArtifactPath)"
        return FileManager.default.fileExists(atPath: sourceArtifact) ? .local(path: sourceArtifactPath) : .none
    }

    static var sourceArtifactPath: String {
        #if os(Linux)
            "Vendor/llama-artifacts/current/llama.artifactbundle"
        #else
            "Vendor/llama-artifacts/current/llama.xcframework"
        #endif
    }

    /// SwiftPM takes the paths of targets relative to the package only.
    static func relativeToPackage(_ path: String) -> String {
        guard path.hasPrefix("/") else { return path }
        let ups = Context.packageDirectory.split(separator: "/").map { _ in ".." }
        return (ups + path.split(separator: "/").map(String.init)).joined(separator: "/")
    }

    /// The binary target that provides the llama.cpp headers and archive.
    var target: Target? {
        switch self {
        case .local(let path): .binaryTarget(name: "llama", path: path)
        case .published(let url, let checksum): .binaryTarget(name: "llama", url: url, checksum: checksum)
        case .none: nil
        }
    }
}

let llama = LlamaArtifact.chosen().target

/// Keeps the linker driver from warning about the framework folder that SwiftPM names to it for any binary target.
///
/// SwiftPM takes such flags from packages in a folder of the user only, not from a version that it fetched itself.
let isFetched = Context.packageDirectory.contains("/checkouts/")
let quietLinking: [LinkerSetting] =
    llama == nil || isFetched
    ? [] : [.unsafeFlags(["-Xclang-linker", "-Qunused-arguments"], .when(platforms: [.linux]))]

let nativeSources: [String] = llama == nil ? ["Unavailable"] : ["Native"]

let package = Package(
    name: "CarbocationLocalLLM",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .library(name: "CarbocationLocalLLM", targets: ["CarbocationLocalLLM"]),
        .library(name: "CarbocationLlamaRuntime", targets: ["CarbocationLlamaRuntime"]),
        .library(name: "CarbocationLocalLLMRuntime", targets: ["CarbocationLocalLLMRuntime"]),
        .library(name: "CarbocationLocalLLMTools", targets: ["CarbocationLocalLLMTools"]),
        .executable(name: "cllm", targets: ["cllm"]),
    ],
    targets: [
        .target(
            name: "CLlama",
            dependencies: llama == nil ? [] : ["llama"],
            sources: nativeSources,
            publicHeadersPath: "include",
            linkerSettings: [
                .linkedLibrary("stdc++", .when(platforms: [.linux])),
                .linkedLibrary("m", .when(platforms: [.linux])),
                .linkedLibrary("pthread", .when(platforms: [.linux])),
                .linkedLibrary("c++", .when(platforms: [.macOS, .iOS])),
                .linkedFramework("Accelerate", .when(platforms: [.macOS, .iOS])),
                .linkedFramework("Foundation", .when(platforms: [.macOS, .iOS])),
                .linkedFramework("Metal", .when(platforms: [.macOS, .iOS])),
            ] + quietLinking
        ),
        .target(name: "GGUFFormat"),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: libxml2PackageName, providers: [.apt(["libxml2-dev"])]),
        .target(
            name: "CarbocationLocalLLM",
            dependencies: [
                "GGUFFormat",
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
                .target(name: "CCrypto", condition: .when(platforms: [.linux])),
            ]
        ),
        .target(
            name: "CarbocationLlamaRuntime",
            dependencies: ["CarbocationLocalLLM", "GGUFFormat", "CLlama"]
        ),
        .target(name: "CarbocationAppleIntelligenceRuntime", dependencies: ["CarbocationLocalLLM"]),
        .target(
            name: "CarbocationLocalLLMRuntime",
            dependencies: [
                "CarbocationLocalLLM", "CarbocationLlamaRuntime", "CarbocationAppleIntelligenceRuntime",
            ]
        ),
        .target(
            name: "CarbocationLocalLLMTools",
            dependencies: ["CarbocationLocalLLM", "CLibXML2"],
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS, .iOS]))]
        ),
        .target(
            name: "CLLMCommands",
            dependencies: [
                "CarbocationLocalLLM", "CarbocationLlamaRuntime", "CarbocationLocalLLMRuntime",
                "CarbocationLocalLLMTools",
            ]
        ),
        .executableTarget(name: "cllm", dependencies: ["CLLMCommands"]),
        .target(name: "TestSupport", dependencies: ["CarbocationLocalLLM"], path: "Tests/TestSupport"),
        .testTarget(name: "GGUFFormatTests", dependencies: ["GGUFFormat", "TestSupport"]),
        .testTarget(
            name: "CarbocationLocalLLMTests", dependencies: ["CarbocationLocalLLM", "GGUFFormat", "TestSupport"]
        ),
        .testTarget(name: "CLlamaTests", dependencies: ["CLlama", "TestSupport"]),
        .testTarget(
            name: "CarbocationLlamaRuntimeTests",
            dependencies: ["CarbocationLocalLLM", "CarbocationLlamaRuntime", "GGUFFormat", "TestSupport"]
        ),
        .testTarget(
            name: "CarbocationLocalLLMRuntimeTests",
            dependencies: [
                "CarbocationLocalLLM", "CarbocationLlamaRuntime", "CarbocationLocalLLMRuntime", "TestSupport",
            ]
        ),
        .testTarget(
            name: "SampleAppTests",
            dependencies: [
                "CarbocationLocalLLM", "CarbocationLlamaRuntime", "CarbocationLocalLLMRuntime",
                "CarbocationLocalLLMTools", "TestSupport",
            ]
        ),
        .testTarget(
            name: "CarbocationLocalLLMToolsTests",
            dependencies: ["CarbocationLocalLLM", "CarbocationLocalLLMTools", "TestSupport"]
        ),
        .testTarget(
            name: "CLLMCommandsTests",
            dependencies: [
                "CLLMCommands", "CarbocationLocalLLM", "CarbocationLlamaRuntime", "CarbocationLocalLLMRuntime",
                "CarbocationLocalLLMTools", "TestSupport",
            ]
        ),
    ],
    cxxLanguageStandard: .cxx17
)

#if os(Linux)
    // Apple's frameworks are stood in for, so that what is written against them is compiled and run here as well: the
    // sources a second time, under another name, for tests only.
    package.targets += [
        .target(name: "FoundationModels", path: "Tests/AppleSDKStubs/FoundationModels"),
        .target(
            name: "AppleIntelligenceWithStubs",
            dependencies: ["CarbocationLocalLLM", "FoundationModels"],
            path: "Tests/AppleSDKStubs/AppleIntelligenceWithStubs",
            swiftSettings: [.define("APPLE_SDK_STUBS")]
        ),
        .testTarget(
            name: "CarbocationAppleIntelligenceRuntimeTests",
            dependencies: [
                "AppleIntelligenceWithStubs", "CarbocationAppleIntelligenceRuntime", "CarbocationLocalLLM",
                "FoundationModels", "TestSupport",
            ]
        ),
    ]
#else
    package.targets.append(
        .testTarget(
            name: "CarbocationAppleIntelligenceRuntimeTests",
            dependencies: ["CarbocationAppleIntelligenceRuntime", "CarbocationLocalLLM"],
            sources: ["Live"]
        )
    )
#endif

if let llama { package.targets.append(llama) }

for target in package.targets where target.type != .binary && target.type != .system {
    if target.name.hasPrefix("CLlama") && target.type == .regular {
        target.cxxSettings = [.treatAllWarnings(as: .error), .enableWarning("all")]
    } else {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ]
    }
}
