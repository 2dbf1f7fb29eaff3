/// One line of a device's log: an occurrence on this device that is no entry of the store's ledger.
/// The log is for people; the program bases no decision on it.
package struct DeviceLogEntry: Codable, Hashable, Sendable {
    /// Counted by the device from 1, never reused; a later entry has a higher number.
    package var number: Int64
    /// In store time.
    package var at: Timestamp
    package var what: What

    package init(number: Int64, at: Timestamp, what: What) {
        self.number = number
        self.at = at
        self.what = what
    }

    /// An occurrence on a device. The device itself logs restores, downloads, deleted content and
    /// payments that were resent or held; its front end logs the rest (`ShopDevice.log`).
    package enum What: Codable, Hashable, Sendable {
        /// A restore ended: purchases that it recorded, that were here before, and that were left
        /// out because their signature could not be verified.
        case restored(count: Int, alreadyHere: Int, unverified: Int)
        /// A restore ended with an error; the purchases that it recorded before stay.
        case restoreFailed(StoreError)
        /// A package is in place, with its length in bytes.
        case downloaded(ProductID, contentID: String, version: String, bytes: Int64)
        /// A package could not be fetched; the device does not retry it until a person asks.
        case downloadFailed(ProductID, contentID: String, StoreError)
        case downloadPaused(ProductID)
        /// A person asked for the product's downloads, which were paused, failed, cancelled or
        /// deleted before, or never begun.
        case downloadResumed(ProductID)
        case downloadCancelled(ProductID)
        case contentDeleted(ProductID)
        /// A person cancelled the payment sheet; nothing was sent.
        case purchaseCancelled(ProductID)
        /// A queued payment whose process had ended was not sent again; it waits for a person's
        /// decision.
        case paymentHeld(PaymentID, ProductID)
        /// A queued payment whose process had ended was sent again, and the store answered.
        case paymentResent(PaymentID, ProductID)
        /// A transaction that an earlier process paid for was unfinished when the device was
        /// launched: it came back, and was finished.
        case finishedAtLaunch(TransactionID, ProductID)
        /// A changed catalog file was refused; the last good one stays on sale. `problem` is its
        /// first problem, as it was shown.
        case catalogRefused(problem: String)
        /// A remark on the catalog that this device's shop loaded, as it was shown: on its
        /// settings, or a warning with its place in the file.
        case catalogNoted(String)
        /// The network of the device was cut or restored, as its open shop noticed.
        case network(isOn: Bool)
        /// An account signed in to the App Store on the device; nil: signed out.
        case signedIn(as: AccountName?)
        case leaseTaken
        case trouble(StoreError)
        /// An entry that this program cannot read: a newer program wrote it, or it was altered.
        case unknown
    }
}

extension DeviceLogEntry.What {
    /// The word for an occurrence in JSON and in filters (`is:`), the same in every language. A
    /// device's records have the case's name instead.
    package enum Name: String, Sendable, CaseIterable {
        case restored, restoreFailed, downloaded, downloadFailed, downloadPaused, downloadResumed
        case downloadCancelled, contentRemoved, purchaseCancelled, held, resent, finishedAtLaunch
        case catalogRefused, catalogNoted, network, signedIn, signedOut, delivering, trouble
        case unknown
    }

    package var name: Name {
        switch self {
        case .restored: .restored
        case .restoreFailed: .restoreFailed
        case .downloaded: .downloaded
        case .downloadFailed: .downloadFailed
        case .downloadPaused: .downloadPaused
        case .downloadResumed: .downloadResumed
        case .downloadCancelled: .downloadCancelled
        case .contentDeleted: .contentRemoved
        case .purchaseCancelled: .purchaseCancelled
        case .paymentHeld: .held
        case .paymentResent: .resent
        case .finishedAtLaunch: .finishedAtLaunch
        case .catalogRefused: .catalogRefused
        case .catalogNoted: .catalogNoted
        case .network: .network
        case .signedIn(let account): account == nil ? .signedOut : .signedIn
        case .leaseTaken: .delivering
        case .trouble: .trouble
        case .unknown: .unknown
        }
    }
}
