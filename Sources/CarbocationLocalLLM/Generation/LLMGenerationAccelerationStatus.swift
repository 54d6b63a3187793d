/// Whether a generation was accelerated by speculation, and if not, why.
public enum LLMGenerationAccelerationStatus: String, Codable, Sendable, Hashable {
    /// It was.
    case active
    /// The model offers no method.
    case unsupported
    /// The method could not be set up.
    case runtimeUnavailable = "runtime-unavailable"
    /// The policy forbids it.
    case disabledByPolicy = "disabled-by-policy"
    /// The request steers sampling in a way that cannot be speculated on.
    case disabledByIncompatibleControlPath = "disabled-by-incompatible-control-path"
    /// It was measured to be slower than plain decoding.
    case disabledByMeasurement = "disabled-by-measurement"

    /// Which of two statuses describes both together: the one with the higher precedence.
    var precedence: Int {
        switch self {
        case .unsupported: 0
        case .disabledByPolicy: 1
        case .runtimeUnavailable: 2
        case .disabledByIncompatibleControlPath: 3
        case .disabledByMeasurement: 4
        case .active: 5
        }
    }
}
