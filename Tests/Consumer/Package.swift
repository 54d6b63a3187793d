// swift-tools-version: 6.2

import PackageDescription

// Stands for an app that depends on this package by path.
let package = Package(
    name: "Consumer",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "CarbocationLocalLLM", path: "../..")],
    targets: [
        .executableTarget(
            name: "Consumer",
            dependencies: [.product(name: "CarbocationLlamaRuntime", package: "CarbocationLocalLLM")]
        )
    ]
)
