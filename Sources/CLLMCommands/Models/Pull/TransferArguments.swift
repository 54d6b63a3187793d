import CarbocationLocalLLM

/// How to use the network.
struct TransferArguments: Sendable, Hashable {
    static let connections = OptionSpecification.value(
        "connections", "N", "Most requests at a time, up to 32 (default: \(standard.parallelConnections)).")
    static let chunkSize = OptionSpecification.value(
        "chunk-size", "BYTES", "Bytes of each request, 1048576 or more (default: \(standard.chunkSize)).")
    static let retries = OptionSpecification.value(
        "retries", "N", "How often each part is tried again (default: \(standard.maximumRetries)).")
    static let specifications = [connections, chunkSize, retries]

    private static let standard = ModelDownloadConfiguration()

    let configuration: ModelDownloadConfiguration

    init(_ arguments: ParsedArguments) throws(UsageError) {
        configuration = ModelDownloadConfiguration(
            parallelConnections: try arguments.integer(Self.connections, atLeast: 1)
                ?? Self.standard.parallelConnections,
            chunkSize: try arguments.integer(Self.chunkSize, atLeast: 1) ?? Self.standard.chunkSize,
            maximumRetries: try arguments.integer(Self.retries, atLeast: 0) ?? Self.standard.maximumRetries)
    }
}
