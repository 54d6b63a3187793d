import CarbocationLocalLLM
import Foundation

/// What a calibration found.
struct CalibrationReport {
    let record: LlamaContextCalibrationRecord
    let duration: Duration

    var text: String {
        let tried = record.probedTiers.map { "\($0.context) \($0.succeeded ? "fits" : "does not fit")" }
        let lines = [
            "maximum context: \(record.maximumSupportedContext) tokens",
            "tried: \(tried.joined(separator: ", "))",
            "time: \(Figure.seconds(duration))",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    var json: LLMJSONValue {
        [
            "maximumSupportedContext": .count(record.maximumSupportedContext),
            "probedTiers": .array(
                record.probedTiers.map { ["context": .count($0.context), "succeeded": .bool($0.succeeded)] }),
            "createdAt": .string(record.createdAt.formatted(.iso8601)),
            "updatedAt": .string(record.updatedAt.formatted(.iso8601)),
            "seconds": .double(duration / .seconds(1)),
        ]
    }
}
