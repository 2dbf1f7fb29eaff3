import StoreCatalog
import StoreEngine
import StoreModel

/// What must be true, kept beside the store without looking into it: a second, plainer opinion on
/// every answer.
struct SimulationAuditor {
    struct SaleNote {
        var id: TransactionID
        var account: AccountName
        /// The device that is to deliver it.
        var device: DeviceName
        var product: ProductID
        var type: ProductType
        var charged: Money
        var expires: Timestamp?
        var isFinished = false
    }

    enum Fate: Hashable {
        case sold(TransactionID, alreadyOwned: Bool)
        case pending(TransactionID)
        case failed(StoreError.Code)
        case refused(StoreError.Code)
    }

    private struct Known {
        var payment: Payment
        var account: AccountName
        var fate: Fate
    }

    struct Asked {
        var payment: Payment
        var account: AccountName
        var device: DeviceName
    }

    var catalog: Catalog
    var recordedUntil: Timestamp
    /// In the order they were sold.
    private(set) var sales: [SaleNote] = []
    private(set) var asked: [TransactionID: Asked] = [:]
    private var approvedNumbers: Set<TransactionID> = []
    private(set) var settings: [AccountName: AccountSettings] = [:]
    private(set) var faults: [(error: StoreError.Code, remaining: Int)] = []
    private var known: [PaymentID: Known] = [:]
    private var nextNumber = StoreLimits.firstTransactionNumber

    init(catalog: Catalog, now: Timestamp) {
        self.catalog = catalog
        recordedUntil = now
    }

    // MARK: - Buying

    /// What must come of a payment, which is then taken as come.
    mutating func buy(
        _ payment: Payment, by account: AccountName, on device: DeviceName, at clock: Timestamp
    ) -> Fate {
        if let known = known[payment.id] {
            let isSame = known.payment == payment && known.account == account
            return isSame ? known.fate : .refused(.paymentMismatch)
        }
        guard let product = catalog.product(payment.productID) else {
            return .refused(.productUnavailable)
        }
        let settings = settings(of: account)
        guard let storefront = Storefront.find(settings.territory),
            let price = product.price(in: storefront)
        else { return .refused(.notAvailableInStorefront) }
        let most = product.type == .consumable || product.type == .nonRenewing ? 10 : 1
        guard (1...most).contains(payment.quantity) else { return .refused(.invalidQuantity) }
        guard payment.shownPrice == price else { return .refused(.priceChanged) }
        if let owned = owned(product, by: account) { return .sold(owned, alreadyOwned: true) }
        let now = max(clock, recordedUntil)
        if isSubscribed(account, product, at: now) { return .refused(.subscriptionActive) }

        self.settings[account] = settings
        recordedUntil = now
        let fate = decide(
            Asked(payment: payment, account: account, device: device), product, settings, at: now)
        known[payment.id] = Known(payment: payment, account: account, fate: fate)
        return fate
    }

    private mutating func decide(
        _ asked: Asked, _ product: CatalogProduct, _ settings: AccountSettings, at now: Timestamp
    ) -> Fate {
        guard settings.canMakePayments else { return .failed(.purchaseNotAllowed) }
        if !faults.isEmpty {
            faults[0].remaining -= 1
            let error = faults[0].error
            if faults[0].remaining == 0 { faults.removeFirst() }
            return .failed(error)
        }
        let number = TransactionID(nextNumber)
        nextNumber += 1
        if settings.askToBuy {
            self.asked[number] = asked
            return .pending(number)
        }
        sell(asked, product, as: number, at: now)
        return .sold(number, alreadyOwned: false)
    }

    private mutating func sell(
        _ asked: Asked, _ product: CatalogProduct, as id: TransactionID, at now: Timestamp
    ) {
        let payment = asked.payment
        sales.append(
            SaleNote(
                id: id, account: asked.account, device: asked.device, product: product.id,
                type: product.type,
                charged: Money(
                    milliunits: payment.shownPrice.milliunits * Int64(payment.quantity),
                    currency: payment.shownPrice.currency),
                expires: product.subscription?.period?.end(from: now)))
    }

    // MARK: - Answers of the console

    mutating func approve(_ number: TransactionID, at clock: Timestamp) -> Fate {
        guard let waiting = asked[number] else {
            // Approved before is sold; a sale that nobody was asked about never was a request.
            let isSold = approvedNumbers.contains(number)
            return isSold ? .sold(number, alreadyOwned: false) : .refused(.requestNotPending)
        }
        asked[number] = nil
        let now = max(clock, recordedUntil)
        recordedUntil = now
        let fate = approved(waiting, number, at: now)
        known[waiting.payment.id]?.fate = fate
        return fate
    }

    private mutating func approved(
        _ waiting: Asked, _ number: TransactionID, at now: Timestamp
    ) -> Fate {
        guard let product = catalog.product(waiting.payment.productID) else {
            return .failed(.productUnavailable)
        }
        if owned(product, by: waiting.account) != nil { return .failed(.alreadyOwned) }
        if isSubscribed(waiting.account, product, at: now) { return .failed(.subscriptionActive) }
        sell(waiting, product, as: number, at: now)
        approvedNumbers.insert(number)
        return .sold(number, alreadyOwned: false)
    }

    mutating func decline(_ number: TransactionID, at clock: Timestamp) -> Fate {
        guard let waiting = asked.removeValue(forKey: number) else {
            return .refused(.requestNotPending)
        }
        recordedUntil = max(clock, recordedUntil)
        known[waiting.payment.id]?.fate = .failed(.approvalDeclined)
        return .failed(.approvalDeclined)
    }

    mutating func change(
        _ account: AccountName, askToBuy: Bool?, canMakePayments: Bool?, territory: String?,
        at clock: Timestamp
    ) {
        var settings = settings(of: account)
        settings.askToBuy = askToBuy ?? settings.askToBuy
        settings.canMakePayments = canMakePayments ?? settings.canMakePayments
        settings.territory = territory ?? settings.territory
        if self.settings[account] != settings { recordedUntil = max(clock, recordedUntil) }
        self.settings[account] = settings
    }

    mutating func fail(_ error: StoreError.Code, _ count: Int, at clock: Timestamp) {
        faults.append((error, count))
        recordedUntil = max(clock, recordedUntil)
    }

    mutating func clearFaults(at clock: Timestamp) {
        if !faults.isEmpty { recordedUntil = max(clock, recordedUntil) }
        faults = []
    }

    // MARK: - Finishing and claiming

    /// Nil where it is none of the account's.
    mutating func finish(
        _ id: TransactionID, by account: AccountName, on device: DeviceName, at clock: Timestamp
    ) -> FinishOutcome? {
        guard let index = sales.firstIndex(where: { $0.id == id && $0.account == account })
        else { return nil }
        if sales[index].isFinished { return .alreadyFinished }
        if sales[index].type == .consumable, sales[index].device != device {
            return .claimedElsewhere
        }
        sales[index].isFinished = true
        recordedUntil = max(clock, recordedUntil)
        return .finished
    }

    mutating func claim(
        _ id: TransactionID, by account: AccountName, on device: DeviceName, at clock: Timestamp
    ) -> Bool {
        guard
            let index = sales.firstIndex(where: {
                $0.id == id && $0.account == account && !$0.isFinished
            })
        else { return false }
        if sales[index].type == .consumable, sales[index].device != device {
            sales[index].device = device
            recordedUntil = max(clock, recordedUntil)
        }
        return true
    }

    // MARK: - What follows

    func settings(of account: AccountName) -> AccountSettings {
        settings[account] ?? AccountSettings(name: account, territory: "USA")
    }

    private func owned(_ product: CatalogProduct, by account: AccountName) -> TransactionID? {
        guard product.type == .nonConsumable else { return nil }
        return sales.first { $0.account == account && $0.product == product.id }?.id
    }

    private func isSubscribed(
        _ account: AccountName, _ product: CatalogProduct, at now: Timestamp
    ) -> Bool {
        guard product.subscription != nil else { return false }
        return sales.contains { sale in
            sale.account == account && sale.expires.map { $0 > now } == true
        }
    }

    func unfinished(of account: AccountName, on device: DeviceName) -> [TransactionID] {
        sales.filter { sale in
            sale.account == account && !sale.isFinished
                && (sale.type != .consumable || sale.device == device)
        }.map(\.id).sorted()
    }

    func restorable(of account: AccountName) -> [TransactionID] {
        sales.filter { $0.account == account && $0.type != .consumable }.map(\.id).sorted(by: >)
    }

    func entitled(_ account: AccountName, at clock: Timestamp) -> Set<TransactionID> {
        let now = max(clock, recordedUntil)
        var entitled: [String: TransactionID] = [:]
        for sale in sales where sale.account == account {
            switch sale.type {
            case .consumable: continue
            case .nonConsumable, .nonRenewing: entitled[sale.product.rawValue] = sale.id
            case .autoRenewable:
                entitled["group"] = sale.expires.map { $0 > now } == true ? sale.id : nil
            }
        }
        return Set(entitled.values)
    }

    func takings() -> [Takings] {
        Dictionary(grouping: sales, by: \.charged.currency).map { currency, sales in
            Takings(
                currency: currency, soldMilliunits: sales.reduce(0) { $0 + $1.charged.milliunits },
                sales: Int64(sales.count))
        }.sorted { $0.currency < $1.currency }
    }
}
