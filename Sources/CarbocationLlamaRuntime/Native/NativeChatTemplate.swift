import CLlama
import CarbocationLocalLLM
import Foundation

/// Sole owner of one compiled chat template.
// `@unchecked` because the handle is immutable and its C contract allows rendering from several threads.
final class NativeChatTemplate: @unchecked Sendable {
    private let raw: OpaquePointer

    /// Compiles `source`; throws ``LLMEngineError/chatTemplateUnavailable(_:)`` with the template's own message.
    init(source: String, toolSource: String? = nil, bos: String, eos: String, addsBOS: Bool, addsEOS: Bool) throws {
        var created: OpaquePointer?
        let tool = toolSource ?? ""
        let status = source.withCString { source in
            tool.withCString { tool in
                bos.withCString { bos in
                    eos.withCString { eos in
                        var params = cl_chat_params(
                            source: source, source_length: strlen(source),
                            tool_source: toolSource == nil ? nil : tool, tool_source_length: strlen(tool),
                            bos_text: bos, eos_text: eos, adds_bos: addsBOS, adds_eos: addsEOS)
                        return cl_chat_create(&params, &created)
                    }
                }
            }
        }
        try check(status) { .chatTemplateUnavailable($0) }
        guard let created else { throw LLMEngineError.chatTemplateUnavailable("llama.cpp returned no template.") }
        raw = created
    }

    deinit {
        cl_chat_free(raw)
    }

    /// `llama-jinja` or `legacy-c-api`.
    var formatter: String { String(cString: cl_chat_formatter(raw)) }

    /// Whether the template writes tools into the prompt.
    var knowsTools: Bool { cl_chat_knows_tools(raw) }

    /// Renders a request in the JSON form of the C header.
    func render(_ request: LLMJSONValue) throws -> RenderedPrompt {
        let text = request.jsonString()
        var created: OpaquePointer?
        let status = text.withCString { cl_chat_render(raw, $0, strlen($0), &created) }
        if status == CL_INVALID_ARGUMENT { throw NativeFailure(status).error { .invalidRequest($0) } }
        try check(status) { .chatTemplateUnavailable($0) }
        guard let created else { throw LLMEngineError.chatTemplateUnavailable("llama.cpp rendered nothing.") }
        defer { cl_chat_rendering_free(created) }
        let details = try? LLMJSONValue(jsonString: String(cString: cl_chat_rendering_details(created)))
        let segments = Self.segments(of: created)
        return RenderedPrompt(
            text: segments.map(\.text).joined(), segments: segments,
            format: ChatFormat(details: details ?? .object([:]), formatter: formatter, prompt: segments))
    }

    private static func segments(of rendering: OpaquePointer) -> [PromptSegment] {
        var length = 0
        let prompt = UnsafeRawBufferPointer(
            start: cl_chat_rendering_prompt(rendering, &length), count: length)
        var count = 0
        guard let spans = cl_chat_rendering_segments(rendering, &count) else { return [] }
        var offset = 0
        return UnsafeBufferPointer(start: spans, count: count).map { span in
            defer { offset += span.length }
            let bytes = prompt[offset..<(offset + span.length)]
            return PromptSegment(text: String(decoding: bytes, as: UTF8.self), isInput: span.is_input)
        }
    }
}
