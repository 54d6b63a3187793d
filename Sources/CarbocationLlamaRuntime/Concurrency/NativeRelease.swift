import CarbocationLocalLLM
import Dispatch

/// Frees what native handles hold on threads of its own, never on the cooperative pool.
///
/// Giving back gigabytes takes time, and memory on RPC servers is given back through a connection that may be busy with
/// another model.
enum NativeRelease {
    private static let queue = DispatchQueue(
        label: "LlamaNativeRelease", qos: .userInitiated, attributes: .concurrent)

    /// Runs `free`, lets go of `model`, and then sets `freed`.
    ///
    /// - Parameters:
    ///   - freed: Set at the end.
    ///   - model: Weights that must not be freed before.
    ///   - free: Blocks for as long as it likes.
    static func begin(_ freed: OneShot<Void>, keeping model: NativeModel? = nil, _ free: @escaping @Sendable () -> Void)
    {
        let kept = Locked(model)
        queue.async {
            free()
            kept.withLock { $0 = nil }
            freed.resolve(())
        }
    }
}
