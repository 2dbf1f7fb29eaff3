import DurableFiles
package import StoreModel

extension Device {
    package func isSignedIn() async throws(StoreError) -> Bool {
        try await database.read { try DeviceRecords($0).isSignedIn }
    }

    package func setSignedIn(_ isSignedIn: Bool) async throws(StoreError) {
        try await database.writeTogether { try DeviceRecords($0).setSignedIn(isSignedIn) }
    }

    /// Throws `notSignedIn` while no account is signed in.
    func refuseSignedOut() async throws(StoreError) {
        guard try await !isSignedIn() else { return }
        throw StoreError(
            .notSignedIn, subject: store.account.rawValue,
            found: store.identity.environment.rawValue)
    }
}
