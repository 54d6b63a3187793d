import Foundation

/// Remembers what calibrations found, in a suite of preferences.
///
/// Stores on one suite, in this process and in others, see each other's records, and none of those saved at the same
/// time is lost: the suite is read afresh for every call, and a lock file of the user orders changes. Where files cannot
/// be locked, only changes of this process are ordered. All calls block for the time of a small file access, and saving
/// also for that of other processes' changes, five seconds at most.
public final class LlamaContextCalibrationStore: Sendable {
    /// The store in the preferences of the App Group ``ModelStorage/carbocationSharedGroupID``, or in the app's own when
    /// it has no access to the group, as on Linux.
    public static let shared = LlamaContextCalibrationStore(suiteName: sharedSuiteName)

    private static let recordsKey = "llama.contextCalibration.records.v1"
    private static let deviceIDKey = "llama.contextCalibration.deviceID.v1"

    private let preferences: SuitePreferences

    /// A store in a suite of preferences.
    ///
    /// - Parameter suiteName: The suite; nil for the app's own preferences.
    public convenience init(suiteName: String?) {
        self.init(preferences: SuitePreferences(suiteName: suiteName, lockFile: Self.lockFile(suiteName: suiteName)))
    }

    init(preferences: SuitePreferences) {
        self.preferences = preferences
    }

    /// The id of this device: random, made and stored when it is asked for the first time.
    ///
    /// - Returns: The id; the same for all stores on the suite.
    public func deviceID() -> String {
        if let id = storedDeviceID() { return id }
        var id = UUID().uuidString
        // When it cannot be stored, records cannot be either.
        try? preferences.update { defaults in
            if let earlier = Self.deviceID(in: defaults) {
                id = earlier
            } else {
                defaults.set(id, forKey: Self.deviceIDKey)
            }
        }
        return id
    }

    /// The record of exactly this key.
    ///
    /// - Parameter key: The device, model, build and settings.
    /// - Returns: The record; nil when any of them is another one.
    public func record(for key: LlamaContextCalibrationKey) -> LlamaContextCalibrationRecord? {
        preferences.read { CalibrationRecords(stored: $0.object(forKey: Self.recordsKey)).record(for: key) }
    }

    /// The record of a model on this device.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - runtime: The build and the settings.
    /// - Returns: The record; nil when the model was not calibrated with exactly these.
    public func record(
        for model: InstalledModel, runtime: LlamaContextCalibrationRuntimeFingerprint
    ) -> LlamaContextCalibrationRecord? {
        guard let deviceID = storedDeviceID() else { return nil }
        let model = LlamaContextCalibrationModelFingerprint(model: model)
        return record(for: LlamaContextCalibrationKey(deviceID: deviceID, model: model, runtime: runtime))
    }

    /// Stores a record in the place of an earlier one of the same key, whose time of creation stays.
    ///
    /// Other entries stay as they are, also those of other versions.
    ///
    /// - Parameter record: The record.
    /// - Throws: An error when the preferences cannot be written; `EncodingError` for dates that are not finite.
    public func save(_ record: LlamaContextCalibrationRecord) throws {
        try preferences.update { defaults in
            var records = CalibrationRecords(stored: defaults.object(forKey: Self.recordsKey))
            try records.set(record)
            defaults.set(records.data, forKey: Self.recordsKey)
        }
    }

    private func storedDeviceID() -> String? {
        preferences.read { Self.deviceID(in: $0) }
    }

    private static func deviceID(in defaults: UserDefaults) -> String? {
        guard let id = defaults.object(forKey: deviceIDKey) as? String, !id.isEmpty else { return nil }
        return id
    }
}

extension LlamaContextCalibrationStore {
    private static var sharedSuiteName: String? {
        let group = ModelStorage.carbocationSharedGroupID
        return ModelStorage.sharedGroupRoot(sharedGroupIdentifier: group) == nil ? nil : group
    }

    /// A file that all processes of the user find which share the suite.
    private static func lockFile(suiteName: String?) -> URL {
        let folderName = "carbocation-local-llm"
        var folder = ModelStorage.appSupportDirectory(appSupportFolderName: folderName)
        if let suiteName, suiteName.hasPrefix("group."),
            let container = ModelStorage.sharedGroupRoot(sharedGroupIdentifier: suiteName)
        {
            folder = container.appendingPathComponent("Library/Application Support/\(folderName)", isDirectory: true)
        }
        // A suite may have any name.
        let name = SHA256Hasher.hash(Data((suiteName ?? "").utf8)).prefix(16)
        return folder.appendingPathComponent("context-calibration-\(name).lock", isDirectory: false)
    }
}
