/// The namespaces that models are known to invent, and that change nothing about which tool is meant.
private let inventedNamespaces = ["functions.", "default_api."]

/// The declared tool that a written name stands for.
///
/// That is the name itself, or what follows one invented namespace if exactly that is declared. Nothing is guessed from
/// parts of names.
///
/// - Parameters:
///   - name: The name in a call.
///   - declared: The names of the tools that were offered.
/// - Returns: A member of `declared`, or nil.
package func resolvedName(_ name: String, among declared: Set<String>) -> String? {
    if declared.contains(name) { return name }
    for namespace in inventedNamespaces where name.hasPrefix(namespace) {
        let rest = String(name.dropFirst(namespace.count))
        if declared.contains(rest) { return rest }
    }
    return nil
}
