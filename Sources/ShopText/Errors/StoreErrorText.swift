package import StoreModel

/// The causes of errors of the store and of devices.
package enum StoreErrorText: Hashable, Sendable {
    case errorNewerEntry, errorDeviceBusy(process: String?)
    case errorRecordAltered(product: String, transaction: String?), errorBalancesAltered
    case errorForeignRecords, errorStoreBehind(found: String, expected: String)
    case errorStoreDiffers(entry: String, transaction: String?)
    case errorVerificationFailed(text: String, reason: VerificationError?)
    case errorSaleNotVerified(product: String?, transaction: String, reason: VerificationError?)
    case errorNoDevice(String), errorInvalidName(kind: String, name: String)
    case errorStoreBusy(process: String?), errorOutcomeUnknown(product: String, cause: String?)
    case errorRecordUnknown(place: String, cause: String?)
    case errorStoreNewer(place: String, found: String, expected: String)
    case errorStoreOlder(place: String), errorOlderReadOnly(place: String)
    case errorDeviceRecords(place: String, detail: String?, cause: String?)
    case errorStoreUnreadable(place: String, detail: String?, cause: String?)
    case errorOtherEnvironment(found: String, asked: String)
    case errorOtherAppAppleID(found: String, asked: String)
    case errorOtherApp(field: String, found: String, asked: String)
    case errorUnnamed(code: String, cause: String?)
    /// `name`: the name of the stored answer or file in the device's records.
    case errorKeptAltered(name: String)
    /// `report`: the transaction whose report it refused.
    case errorBackend(ContentServerFailure?, address: String, cause: String?, report: String?)
}
