extension SchemaFormat {
    /// The texts of the format as a regular expression; all dates that it matches exist.
    var pattern: String {
        switch self {
        case .date: "^\(Self.datePattern)$"
        case .time: "^\(Self.timePattern)$"
        case .dateTime: "^\(Self.datePattern)T\(Self.timePattern)$"
        case .uuid: "^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
        }
    }

    private static let datePattern: String = {
        let year = "(?:000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})"
        let leapYear =
            "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)"
        let anyMonth = "(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])"
        let longerMonth = "(?:0[13-9]|1[0-2])-(?:29|30)"
        let longestMonth = "(?:0[13578]|1[02])-31"
        return "(?:\(year)-(?:\(anyMonth)|\(longerMonth)|\(longestMonth))|\(leapYear)-02-29)"
    }()

    private static let timePattern =
        "(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)"
}
