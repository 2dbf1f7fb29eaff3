#if os(Linux)
public import Foundation
import StoreDevice
import StoreModel

/// Chooses the store that this process buys in. Without a choice it ends with the process, over the
/// configuration that `$STOREKIT_CONFIGURATION` names or the only one of the folder or its parents.
public enum StoreKitHost {
    /// Chooses the store of the process. It is opened at the first call of StoreKit. A test's session
    /// has priority while it lives.
    ///
    /// - Parameters:
    ///   - configuration: a StoreKit configuration, or a catalog of `storefront`.
    ///   - store: the folder of a store that stays, or, with the package's trait `PostgreSQL`, the
    ///     address of one in a database (`postgresql://HOST/DATABASE?store=NAME`); nil for one that
    ///     ends with the process. Shops and other processes may have it open, too.
    ///   - account: who buys; nil for `me`.
    ///   - device: the device's name in the store; nil for `app`, or, in a database, for `app` and the
    ///     machine's name. An app on the device of an open shop shares its queue and its purchases.
    public static func configure(
        configuration: URL, store: URL? = nil, account: String? = nil, device: String? = nil
    ) {
        var choice = AppStoreSession.Choice(file: configuration.path)
        choice.store = store.map { $0.scheme == nil || $0.isFileURL ? $0.path : $0.absoluteString }
        choice.environment = store == nil ? .xcode : .sandbox
        if let account { choice.account = AccountName(account) }
        if let device { choice.device = DeviceName(device) }
        AppStoreProcess.configure(choice)
    }

    /// The file of the app's receipt, in place of `Bundle.main.appStoreReceiptURL`. It tells of
    /// every purchase so far. Nil while no store is open, or the first receipt cannot be had.
    public static var receiptURL: URL? {
        guard let session = AppStoreProcess.openSession,
            let receipt = try? Blocking.run({ try await session.device.presentReceipt() })
        else { return nil }
        return URL(filePath: receipt.path)
    }
}
#endif
