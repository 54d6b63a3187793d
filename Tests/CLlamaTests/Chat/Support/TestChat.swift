import CLlama
import Testing

/// Why a call of the chat layer failed.
struct ChatFailure: Error, Equatable {
    var status: cl_status
    var message: String

    /// The failure that `status` stands for, unless it is a success.
    static func check(_ status: cl_status) throws(ChatFailure) {
        guard status != CL_OK else { return }
        throw ChatFailure(status: status, message: String(cString: cl_last_error()))
    }
}

/// A run of a prompt with its mark.
struct MarkedText: Equatable, CustomStringConvertible {
    var text: String
    var isInput: Bool

    static func template(_ text: String) -> Self { Self(text: text, isInput: false) }
    static func input(_ text: String) -> Self { Self(text: text, isInput: true) }

    var description: String { isInput ? "«\(text)»" : text }
}

/// A rendered conversation.
struct TestRendering: Equatable {
    var prompt: String
    var segments: [MarkedText]
    var details: String

    /// The prompt's template text; what is input leaves a gap.
    var templateText: String {
        segments.map { $0.isInput ? "\u{0}" : $0.text }.joined()
    }

    fileprivate init(_ rendering: OpaquePointer) {
        var length = 0
        let bytes = cl_chat_rendering_prompt(rendering, &length)
        let prompt = Array(UnsafeRawBufferPointer(start: bytes, count: length))
        var count = 0
        let runs = UnsafeBufferPointer(start: cl_chat_rendering_segments(rendering, &count), count: count)
        var start = 0
        segments = runs.map { run in
            defer { start += run.length }
            let end = min(start + run.length, prompt.count)
            return MarkedText(
                text: String(decoding: prompt[min(start, end)..<end], as: UTF8.self), isInput: run.is_input)
        }
        self.prompt = String(decoding: prompt, as: UTF8.self)
        details = String(cString: cl_chat_rendering_details(rendering))
    }
}

/// A compiled template that is freed with its last reference.
final class TestChat: @unchecked Sendable {
    // The C layer documents that a compiled template may be used from several threads at once.
    private let chat: OpaquePointer

    init(
        _ source: String, toolSource: String? = nil, bos: String = "", eos: String = "", addsBOS: Bool = false,
        addsEOS: Bool = false
    ) throws(ChatFailure) {
        var created: OpaquePointer?
        let sourceLength = source.utf8.count
        let status = source.withCString { source in
            (toolSource ?? "").withCString { toolText in
                bos.withCString { bos in
                    eos.withCString { eos in
                        var params = cl_chat_params(
                            source: source, source_length: 0, tool_source: toolSource == nil ? nil : toolText,
                            tool_source_length: toolSource?.utf8.count ?? 0, bos_text: bos, eos_text: eos,
                            adds_bos: addsBOS, adds_eos: addsEOS)
                        params.source_length = sourceLength
                        return cl_chat_create(&params, &created)
                    }
                }
            }
        }
        try ChatFailure.check(status)
        chat = created!
    }

    deinit { cl_chat_free(chat) }

    var formatter: String { String(cString: cl_chat_formatter(chat)) }

    func render(json request: String) throws(ChatFailure) -> TestRendering {
        var rendering: OpaquePointer?
        var text = request
        let status = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                characters.baseAddress.map { cl_chat_render(chat, $0, characters.count, &rendering) }
                    ?? cl_chat_render(chat, "", 0, &rendering)
            }
        }
        try ChatFailure.check(status)
        defer { cl_chat_rendering_free(rendering) }
        return TestRendering(rendering!)
    }

    func render(_ conversation: TestConversation) throws(ChatFailure) -> TestRendering {
        try render(json: conversation.json)
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs only where llama.cpp is linked in.
    static var needsChatRuntime: Self {
        .enabled("needs a llama artifact, see `make setup`") { cl_runtime_is_available() }
    }
}
