import CarbocationLocalLLM
import CarbocationLocalLLMTools

/// A tool that comes with the package, by the name that models know.
enum BundledTool: String, Sendable, CaseIterable {
    case loadWebpage = "load_webpage"
    case calculate
    case convertUnits = "convert_units"

    static let allowPrivateHosts = OptionSpecification.flag(
        "allow-private-hosts", "Let load_webpage open this machine and private networks, on any port.")

    /// All names, for people.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// What is wrong with a name that no tool has.
    static func problem(withName name: String) -> String {
        let nearest = NearestName.of(name, among: allCases.map(\.rawValue)).map { ", did you mean '\($0)'?" } ?? ""
        return "unknown tool '\(name)'\(nearest) (there are \(list))"
    }

    /// The tool, which reaches private hosts only if they are allowed.
    func tool(allowsPrivateHosts: Bool, fetcher: any LLMWebpageFetching) -> LLMTool {
        switch self {
        case .calculate: LLMStandardTools.calculate()
        case .convertUnits: LLMStandardTools.convertUnits()
        case .loadWebpage:
            LLMStandardTools.loadWebpage(
                configuration: allowsPrivateHosts
                    ? LLMLoadWebpageTool.Configuration(allowedPorts: nil, allowsPrivateAddresses: true)
                    : LLMLoadWebpageTool.Configuration(),
                fetcher: fetcher)
        }
    }
}
