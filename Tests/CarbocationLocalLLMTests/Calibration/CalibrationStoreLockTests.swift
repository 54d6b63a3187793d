import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite("Locks of the calibration store")
struct CalibrationStoreLockTests {
    private func store(
        _ preferences: ScratchPreferences, lockFile: URL?, patience: Duration = .seconds(2)
    ) -> LlamaContextCalibrationStore {
        LlamaContextCalibrationStore(
            preferences: SuitePreferences(suiteName: preferences.name, lockFile: lockFile, patience: patience))
    }

    @Test("CA-7: a save leaves no lock behind")
    func released() throws {
        let folder = try ScratchFolder()
        let preferences = ScratchPreferences()
        let lockFile = folder.place("deep/er/calibration.lock")
        try store(preferences, lockFile: lockFile).save(CalibrationSamples.record())
        #expect(folder.exists("deep/er"))
        #expect(folder.names("deep/er").isEmpty)
        guard case .acquired(let lock) = try LocalFileLock.attempt(lockFile) else {
            Issue.record("The lock is not free.")
            return
        }
        lock.release()
    }

    @Test("CA-7: a lock that is never released holds no save up for good")
    func stuck() throws {
        let folder = try ScratchFolder()
        let preferences = ScratchPreferences()
        let lockFile = folder.place("calibration.lock")
        guard case .acquired(let lock) = try LocalFileLock.attempt(lockFile) else {
            Issue.record("The lock is not free.")
            return
        }
        defer { lock.release() }
        let store = store(preferences, lockFile: lockFile, patience: .milliseconds(5))
        try store.save(CalibrationSamples.record())
        #expect(store.record(for: CalibrationSamples.key()) == CalibrationSamples.record())
        #expect(folder.exists("calibration.lock"))
    }

    @Test("CA-7: where no lock can be had, records are saved without")
    func noLock() throws {
        let folder = try ScratchFolder()
        try folder.write("a file", to: "file")
        for lockFile in [nil, folder.place("file/calibration.lock"), folder.url] {
            let preferences = ScratchPreferences()
            let store = store(preferences, lockFile: lockFile)
            try store.save(CalibrationSamples.record())
            #expect(store.record(for: CalibrationSamples.key()) == CalibrationSamples.record())
        }
        #expect(try folder.data("file") == Data("a file".utf8))
    }

    @Test("CA-7: the failure says what to do")
    func description() {
        #expect(
            PreferencesFailure(suiteName: "suite").localizedDescription
                == "The preferences suite could not be written. "
                + "Check that this app may write there, and that there is disk space.")
        #expect(PreferencesFailure(suiteName: nil).localizedDescription.hasPrefix("The preferences could not be"))
    }
}
