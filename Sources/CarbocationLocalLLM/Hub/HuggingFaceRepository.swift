/// Rules for the names of repositories.
enum HuggingFaceRepository {
    /// Whether the text is `owner/name`, each of letters, digits, `_`, `-` and `.`, and neither `.` nor `..`.
    static func isValid(_ repo: String) -> Bool {
        let parts = repo.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy(isNameByte) && !part.elementsEqual(".".utf8)
                    && !part.elementsEqual("..".utf8)
            }
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_-.".utf8.contains(byte)
        }
    }

    /// Whether the text is a full commit id.
    static func isCommit(_ revision: String) -> Bool {
        revision.utf8.count == 40 && revision.utf8.allSatisfy(isHexDigit)
    }

    static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
