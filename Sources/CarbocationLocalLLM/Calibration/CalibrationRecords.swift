import Foundation

/// The stored records, by storage key.
///
/// What does not decode is kept as it is written: it may be of another version of the package.
struct CalibrationRecords {
    private var members: RawJSONMembers

    /// Reads what the preferences hold, as data or as text; anything but a JSON object counts as nothing.
    init(stored: Any?) {
        let data: Data? =
            switch stored {
            case let data as Data: data
            case let text as String: Data(text.utf8)
            default: nil
            }
        members = data.flatMap { RawJSONMembers($0) } ?? RawJSONMembers()
    }

    /// The record of exactly this key.
    func record(for key: LlamaContextCalibrationKey) -> LlamaContextCalibrationRecord? {
        let record = members.value(named: key.storageKey).flatMap {
            try? JSONDecoder().decode(LlamaContextCalibrationRecord.self, from: $0)
        }
        return record?.key == key ? record : nil
    }

    /// Puts a record in the place of an earlier one of the same key, whose time of creation it keeps.
    mutating func set(_ record: LlamaContextCalibrationRecord) throws {
        var record = record
        if let earlier = self.record(for: record.key) { record.createdAt = earlier.createdAt }
        members.set(try JSONEncoder().encode(record), named: record.key.storageKey)
    }

    /// What the preferences are to hold.
    var data: Data { members.data }
}
