package import StoreModel

/// The causes of errors of the store and of devices.
package enum StoreErrorText: Hashable, Sendable {
    case errorNewerEntry, errorDiskFull, errorDeviceFile(place: String, cause: String?)
    case errorDeviceBusy(process: String?)
    case errorRecordAltered(product: String, transaction: String?), errorBalancesAltered
    case errorForeignRecords, errorStoreBehind(found: String, expected: String)
    case errorStoreDiffers(entry: String, transaction: String?), errorRootChanged(place: String)
    case errorVerificationFailed(text: String, reason: VerificationError?)
    case errorSaleNotVerified(product: String?, transaction: String, reason: VerificationError?)
    case errorInvalidName(kind: String, name: String), errorStoreBusy(process: String?)
    case errorStoreReplaced, errorStoreReadOnly(place: String, cause: String?)
    case errorStoreFull(place: String), errorOutcomeUnknown(product: String, cause: String?)
    case errorRecordUnknown(place: String, cause: String?)
    case errorStoreNewer(place: String, found: String, expected: String)
    case errorNotAStore(place: String, file: String)
    case errorStoreOnNetwork(place: String, system: String)
    case errorSoldProductChanged(product: String, field: String, expected: String, found: String)
    case errorKeysUnreadable(place: String, cause: String?), errorClockOutOfRange
    case errorDueNotRecorded(time: String, reason: String)
    case errorDeviceRecords(place: String, detail: String?, cause: String?)
    case errorStoreUnreadable(place: String, detail: String?, cause: String?)
    case errorOtherEnvironment(found: String, asked: String)
    case errorOtherAppAppleID(found: String, asked: String)
    case errorOtherApp(field: String, found: String, asked: String)
    case errorUnnamed(code: String, cause: String?)
    /// `name`: the name of the stored answer or file in the device's records.
    case errorKeptAltered(name: String)
    case errorFileUnreadable(place: String, cause: String?)
    case errorFileUnwritable(place: String, cause: String?)
}
