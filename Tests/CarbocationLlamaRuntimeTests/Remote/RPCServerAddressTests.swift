import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Addresses of RPC servers")
struct RPCServerAddressTests {
    @Test(
        "a host and a port, IPv6 in brackets",
        arguments: [
            ("10.0.0.7:50052", "10.0.0.7", 50052, "10.0.0.7:50052"), ("Worker-1.local:1", "worker-1.local", 1, nil),
            ("[::1]:65535", "::1", 65535, "[::1]:65535"), ("[FE80::1%eth0]:7", "fe80::1%eth0", 7, nil),
        ] as [(String, String, UInt16, String?)])
    func valid(text: String, host: String, port: UInt16, name: String?) throws {
        let address = try RPCServerAddress(text)
        #expect(address.host == host)
        #expect(address.port == port)
        if let name { #expect(address.name == name) }
    }

    private static let malformedTexts = [
        "", ":", "host", "host:", ":50052", "host:0", "host:65536", "host:99999999999999999999", "host:-1", "host:+1",
        "host: 1", "host:1 ", " host:1", "host:1x", "host:1:2", "::1:50052", "[::1]", "[::1]50052", "[::1:50052",
        "[]:1",
        "[::1]:", "ho st:1", "host/a:1", "tcp://host:1", "host:１", "h\u{0}ost:1", "höst:1", "host:1\n", "a@b:1",
    ]

    @Test("everything else is refused before anything is opened, with the address", arguments: malformedTexts)
    func malformed(text: String) async {
        let engine = LlamaEngine(
            configuration: LlamaEngineConfiguration(gpuLayerCount: 0, rpcServers: ["127.0.0.1:1", text]))
        await #expect {
            try await engine.load(
                modelAt: PocketModel.folder.appendingPathComponent("none.gguf"), requestedContext: 512)
        } throws: { error in
            switch error {
            case LLMEngineError.modelLoadFailed(let reason): reason.hasPrefix(text.debugDescription)
            case LLMEngineError.runtimeUnavailable: true
            default: false
            }
        }
    }

    @Test("at most sixteen, and none twice")
    func lists() throws {
        var configuration = LlamaEngineConfiguration(gpuLayerCount: 1)
        configuration.rpcServers = (1...16).map { "host:\($0)" }
        #expect(try configuration.serverAddresses().count == 16)
        configuration.rpcServers = (1...17).map { "host:\($0)" }
        #expect(throws: LLMEngineError.self) { try configuration.serverAddresses() }
        configuration.rpcServers = ["host:1", "HOST:1"]
        #expect(throws: LLMEngineError.self) { try configuration.serverAddresses() }
    }

    @Test("a load that keeps every layer on the CPU uses no server")
    func unused() throws {
        let configuration = LlamaEngineConfiguration(gpuLayerCount: 0, rpcServers: ["host:1"])
        #expect(try configuration.serverAddresses().isEmpty)
    }
}
