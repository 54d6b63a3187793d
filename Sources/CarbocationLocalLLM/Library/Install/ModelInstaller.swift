import Foundation

/// Puts a model into the library: all of it or nothing.
///
/// Blocks.
struct ModelInstaller: Sendable {
    let layout: LibraryLayout
    let calls: any FileCalls
    let probe: ModelContextLengthProbe?

    /// Installs what `request` names.
    ///
    /// `checkpoint` runs between pieces of work and may throw to stop. Whatever ends it early, files that were to be
    /// moved are where they were.
    func install(
        _ request: InstallRequest, id: UUID = UUID(), now: Date, checkpoint: () throws -> Void = {}
    ) throws -> InstalledModel {
        let plan = try InstallPlan(request, calls: calls)
        let model = plan.model(id: id, contextLength: contextLength(plan), now: now)
        let staging = StagingArea(layout: layout, calls: calls)
        try staging.prepare()
        staging.removeAbandoned(now: now)
        let folder = layout.folder(of: id)
        guard try calls.statusIfPresent(of: folder, followingLinks: false) == nil else {
            throw ModelLibraryError.destinationExists(URL(fileURLWithPath: folder, isDirectory: true))
        }
        var transaction = InstallTransaction(calls: calls, staging: staging.place(for: id, purpose: .install))
        do {
            try transaction.fill(with: plan, model: model, checkpoint: checkpoint)
            try transaction.commit(to: folder)
        } catch {
            transaction.rollBack()
            throw error
        }
        transaction.finish(root: layout.root)
        return model
    }

    private func contextLength(_ plan: InstallPlan) -> Int {
        if plan.request.contextLength > 0 { return plan.request.contextLength }
        if let stated = plan.header.contextLength { return stated }
        let url = URL(fileURLWithPath: plan.items[0].source, isDirectory: false)
        return max(0, probe?(url) ?? 0)
    }
}
