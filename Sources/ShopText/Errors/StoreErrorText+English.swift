import StoreModel

extension English {
    static func text(_ text: StoreErrorText) -> String {
        switch text {
        case .errorNewerEntry:
            "The store has an entry that this version of the program cannot read: a newer one wrote it."
        case .errorDeviceBusy(let process):
            process.map { "Process \($0) delivers for this device and does not continue." }
                ?? "Another process is using this device."
        case .errorRecordAltered(let product, let transaction):
            "Another program changed this device's record of your purchase of \(product)"
                + (transaction.map { " (transaction \($0))" } ?? "") + "."
        case .errorForeignRecords:
            "The records in this device's folder were made for another device or account."
        case .errorBalancesAltered: "Another program changed this device's record of your balance."
        case .errorStoreBehind(let found, let expected):
            "The store has lost entries that this device has read: it ends at \(found), this device "
                + "is at \(expected)."
        case .errorStoreDiffers(let entry, nil):
            "The store was put back from an old copy and has recorded other entries since: the entry "
                + "\(entry) that this device has read is now another one."
        case .errorStoreDiffers(let entry, let transaction?):
            "The store was put back from an old copy and has recorded other entries since: "
                + "transaction \(transaction), which this device received by entry \(entry), is now "
                + "another sale or none."
        case .errorVerificationFailed(let text, let reason):
            "A signed text could not be verified (\(text))"
                + (reason.map { ". " + self.text(.verificationReason($0)) } ?? ".")
        case .errorSaleNotVerified(let product, let transaction, let reason):
            (product.map { "The purchase of \($0) (transaction \(transaction))" }
                ?? "Transaction \(transaction)") + " could not be verified."
                + (reason.map { " " + self.text(.verificationReason($0)) } ?? "")
        case .errorNoDevice(let name):
            "There is no device \"\(name)\"."
        case .errorInvalidName(let kind, let name): "The \(kind) \"\(name)\" is not possible."
        case .errorStoreBusy(let process):
            process.map { "The store is kept busy by process \($0)." }
                ?? "Another process has kept the store busy for too long."
        case .errorOutcomeUnknown(let product, let cause):
            "It is not known whether \(product) was bought: its payment may have been recorded, or "
                + "may still be sent\(because(cause))."
        case .errorRecordUnknown(let place, let cause):
            "It is not known whether this was recorded: \(place)\(because(cause))."
        case .errorStoreNewer(let place, let found, let expected):
            "The store was made by a newer version of this program (schema \(found); this one knows "
                + "\(expected)): \(place)."
        case .errorStoreOlder(let place):
            "This was made by a version of the program from before its first release, and this one "
                + "cannot read it: \(place)."
        case .errorOlderReadOnly(let place):
            "This was made by an earlier version of the program, and it cannot be read before it is "
                + "brought up to date, which its folder does not allow: \(place) cannot be written."
        case .errorDeviceRecords(let place, let detail, let cause):
            "This device's records cannot be read: \(place)"
                + (detail.map { ": \($0)" } ?? "") + "\(because(cause))."
        case .errorStoreUnreadable(let place, let detail, let cause):
            "The store cannot be read: \(place)" + (detail.map { ": \($0)" } ?? "")
                + "\(because(cause))."
        case .errorOtherEnvironment(let found, let asked):
            "This store was made for the environment \(found), which is signed into all it sells; it "
                + "cannot be opened for \(asked)."
        case .errorOtherAppAppleID(let found, let asked):
            "This store was made for the App Apple ID \(found), which is signed into all it sells; "
                + "it cannot be opened for \(asked)."
        case .errorOtherApp(let field, let found, let asked):
            "This store belongs to another app: its \(field) is \(found), not \(asked)."
        case .errorUnnamed(let code, let cause):
            "Something went wrong that has no name here: \(code)\(because(cause))."
        case .errorKeptAltered(let name):
            "Another program changed \(keptAnswer(name)) on this device."
        case .errorBackend(_, let address, let cause, let report?):
            "The app's backend at \(address) refused the report of transaction \(report)"
                + "\(because(cause))."
        case .errorBackend(.wrongAnswer, let address, let cause?, nil):
            "The app's backend at \(address) did not accept what it was sent (\(cause))."
        case .errorBackend(let failure, let address, let cause, nil):
            "The app's backend at \(address) \(does(failure))\(because(cause))."
        }
    }
}
