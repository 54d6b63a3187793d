import Testing

@testable import CarbocationLlamaRuntime

@Suite("What llama.cpp's log may say (SC-9)")
struct NativeLogTests {
    @Test(
        "quoted texts and paths are left out",
        arguments: [
            (
                "load: control-looking token: 128247 '</s>' was not control-type",
                "load: control-looking token: 128247 … was not control-type"
            ),
            ("failed to open /home/me/private.gguf", "failed to open …"),
            (#"cannot read C:\models\x.gguf"#, "cannot read …"),
            (#"template "{{ x }}" is bad"#, "template … is bad"),
            ("n_ctx_seq (512) < n_ctx_train (2048)", "n_ctx_seq (512) < n_ctx_train (2048)"),
        ])
    func redaction(message: String, record: String) {
        #expect(NativeLog.redacted(message) == record)
    }
}
