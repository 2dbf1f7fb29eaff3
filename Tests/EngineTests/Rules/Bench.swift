import Foundation
import StoreCatalog
@testable import StoreEngine
import StoreModel
import StoreTestSupport

/// A snapshot and a catalog that a test makes by hand, and the decisions of the rules on them.
struct Bench {
    static let now = Timestamp(milliseconds: 1_800_000_000_000)
    static let aoi = Customer(account: "aoi", device: "phone", homeTerritory: "USA")
    static let kai = Customer(account: "kai", device: "phone", homeTerritory: "USA")
    static let tablet = Customer(account: "aoi", device: "tablet", homeTerritory: "USA")

    var snapshot = LedgerSnapshot()
    var catalog = SampleCatalog.catalog()

    var context: RuleContext {
        RuleContext(snapshot: snapshot, catalog: CatalogIndex(catalog), now: Self.now)
    }

    func decide<R: Request>(_ request: R) -> Decided<R.Answer> {
        Decided(result: Result { () throws(StoreError) in try request.decide(in: context) })
    }

    func buy(
        _ payment: Payment, as customer: Customer = aoi
    ) -> Decided<PurchaseRequest.Answer> {
        decide(PurchaseRequest(payment: payment, customer: customer))
    }

    func finish(
        _ id: TransactionID, as customer: Customer = aoi
    ) -> Decided<FinishOutcome> { decide(FinishRequest(id: id, customer: customer)) }

    func claim(
        _ id: TransactionID, as customer: Customer = aoi
    ) -> Decided<TransactionRow> { decide(ClaimRequest(id: id, customer: customer)) }

    func perform(_ action: OperatorAction) -> Decided<[RecordedEntry]> {
        decide(OperatorRequest(action: action, homeTerritory: "USA"))
    }

    // MARK: - The snapshot

    mutating func know(_ settings: AccountSettings) {
        snapshot.accounts[settings.name] = settings
    }

    mutating func know(_ payment: Payment, _ state: PaymentRow.State) {
        snapshot.payments[payment.id] = PaymentRow(
            account: "aoi", device: "phone", payment: payment, state: state)
    }

    mutating func sell(_ row: TransactionRow, isFinished: Bool = false) {
        snapshot.transactions[row.id] = row
        snapshot.soldTypes[.init(account: row.account, id: row.id)] = row.sale.type
        if !isFinished {
            snapshot.unfinished[row.id] = UnfinishedRow(
                id: row.id, account: row.account, device: row.device)
        }
        if row.sale.type == .nonConsumable {
            let product = row.sale.productID
            snapshot.owned[.init(account: row.account, product: product)] = row
        }
        if let group = row.sale.groupID {
            snapshot.subscribed[.init(account: row.account, group: group)] = row
        }
    }

    @discardableResult
    mutating func ask(
        _ payment: Payment, number: TransactionID = TransactionID(7),
        reason: RequestReason = .askToBuy
    ) -> ApprovalRequest {
        let row = ApprovalRequest(
            number: number, account: "aoi", device: "phone", payment: payment, reason: reason,
            askedAt: Self.now)
        snapshot.pending[number] = row
        snapshot.waiting["aoi", default: []].append(row)
        return row
    }

    static func sold(
        _ product: ProductID, id: Int64 = 3, type: ProductType, expires: Timestamp? = nil,
        original: Sale.Original? = nil, account: AccountName = "aoi"
    ) -> TransactionRow {
        let payment = Payment.of(product)
        return TransactionRow(
            id: TransactionID(id), account: account, device: "phone",
            sale: Sale(
                payment: payment, type: type,
                groupID: type == .autoRenewable ? SampleCatalog.group : nil, original: original,
                purchaseDate: now.advanced(byMilliseconds: -1_000), expiresDate: expires,
                storefront: "USA", price: payment.shownPrice))
    }
}

/// A rule's verdict, or the error with which it refuses.
struct Decided<Answer: Sendable> {
    let result: Result<Verdict<Answer>, StoreError>

    var verdict: Verdict<Answer>? { try? result.get() }
    var refusal: StoreError? { if case .failure(let error) = result { error } else { nil } }
    var answer: Answer? { if case .answer(let answer) = verdict { answer } else { nil } }
    var decision: Decision? {
        if case .record(let decision, _) = verdict { decision } else { nil }
    }
    var facts: [Entry.Fact] { decision?.entries.map(\.fact) ?? [] }

    var sale: Sale? {
        for case .sold(let sale) in facts { return sale }
        return nil
    }

    var failure: StoreError? {
        for case .failed(_, let error) in facts { return error }
        return nil
    }
}
