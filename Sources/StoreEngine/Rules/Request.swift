package import Foundation
package import StoreCatalog
package import StoreModel

/// Something asked of the store that may change the ledger.
package enum Request: Sendable {
    case purchase(Payment, Customer)
    case finish(TransactionID, Customer)
    case claim(TransactionID, Customer)
    case approve(TransactionID)
    case decline(TransactionID)
    case changeAccount(AccountChange)
    case failNext(Fault.Call, error: StoreError.Code, count: Int)
    case clearFaults
    /// `body` is the catalog as it is kept.
    case reviseCatalog(Catalog, digest: String, body: Data)
    case open(AppIdentity)

    /// Who asks: an account on a device.
    package struct Customer: Hashable, Sendable {
        package var account: AccountName
        package var device: DeviceName
        /// Where an account buys that the store has not met yet.
        package var homeTerritory: String

        package init(account: AccountName, device: DeviceName, homeTerritory: String) {
            self.account = account
            self.device = device
            self.homeTerritory = homeTerritory
        }
    }

    /// What is nil stays as it is.
    package struct AccountChange: Hashable, Sendable {
        package var account: AccountName
        package var homeTerritory: String
        package var askToBuy: Bool?
        package var canMakePayments: Bool?
        package var territory: String?

        package init(
            account: AccountName, homeTerritory: String, askToBuy: Bool? = nil,
            canMakePayments: Bool? = nil, territory: String? = nil
        ) {
            self.account = account
            self.homeTerritory = homeTerritory
            self.askToBuy = askToBuy
            self.canMakePayments = canMakePayments
            self.territory = territory
        }
    }
}

/// What a rule makes of a request.
package enum Verdict: Sendable {
    /// Record this; the answer follows from what was recorded.
    case record(Decision)
    /// Nothing changes; this is so already.
    case answer(Answer)
    /// Refused; nothing changes.
    case refuse(StoreError)
}

/// What the caller is told.
package enum Answer: Sendable {
    case payment(PaymentRow, alreadyOwned: Bool)
    case finished(FinishOutcome)
    case claimed(TransactionRow)
    case approval(PaymentRow)
    case declined
    case account(AccountSettings)
    case fault(Fault)
    case faultsCleared
    case catalog(CatalogRevision)
    case opened
}

/// Everything a rule may know: values, the instant included.
package struct RuleContext: Sendable {
    package var snapshot: LedgerSnapshot
    package var catalog: CatalogIndex
    package var now: Timestamp

    package init(snapshot: LedgerSnapshot, catalog: CatalogIndex, now: Timestamp) {
        self.snapshot = snapshot
        self.catalog = catalog
        self.now = now
    }

    /// The account as it is, or as it will be when it first buys.
    func settings(of account: AccountName, home territory: String) -> AccountSettings {
        snapshot.accounts[account] ?? AccountSettings(name: account, territory: territory)
    }

    /// The versions a decision about this account rests on.
    func reads(_ account: AccountName) -> [StreamID: Int64] {
        let streams: [StreamID] = [.account(account), .store]
        return Dictionary(uniqueKeysWithValues: streams.map { ($0, snapshot.version($0)) })
    }
}
