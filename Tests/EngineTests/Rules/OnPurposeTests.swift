import Foundation
@testable import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

/// Prepared failures (which call can fail with which error, how often, and which calls consume
/// one), requests for refunds, and purchases outside the app.
@Suite("failures on purpose, refund requests, purchases outside the app")
struct OnPurposeTests {
    @Test("a call fails only with the errors that StoreKit Test allows for it")
    func aCallFailsOnlyWithItsErrors() {
        let codes = Set(Fault.Call.allCases.flatMap(\.errors)).union([.storeFull, "brandNew"])
        for call in Fault.Call.allCases {
            for code in codes {
                let verdict = Bench().perform(.failNext(call, error: code, count: 1))
                let isAllowed = call.errors.contains(code)
                #expect((verdict.decision != nil) == isAllowed, "\(call) \(code)")
                guard !isAllowed else { continue }
                #expect(verdict.refusal?.code == .invalidName)
                #expect(verdict.refusal?.expected?.text.contains(call.errors[0].rawValue) == true)
            }
        }
    }

    @Test("the nine calls are those of StoreKit Test, with its errors [C4]")
    func theNineCallsAreThoseOfStoreKitTest() {
        let storeKit: Set<StoreError.Code> = [
            .unknown, .userCancelled, .networkError, .systemError, .notAvailableInStorefront,
            .notEntitled, .unsupported,
        ]
        let generic: [Fault.Call] = [
            .loadProducts, .appStoreSync, .appTransaction, .manageSubscriptions,
            .offerCodeRedeem, .subscriptionStatus,
        ]
        for call in generic { #expect(Set(call.errors) == storeKit, "\(call)") }
        #expect(Set(Fault.Call.purchase.errors).isSuperset(of: storeKit))
        #expect(
            Set(Fault.Call.refundRequest.errors)
                == storeKit.union([.duplicateRequest, .refundRequestFailed]))
        #expect(
            Set(Fault.Call.verification.errors)
                == [
                    .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification,
                    .invalidEncoding, .invalidSignature, .missingRequiredProperties,
                ])
        #expect(Fault.Call.ofStoreKitTest.count == 9)
        let others: [Fault.Call] = [.updates, .notification] + Fault.Call.endpoints
        #expect(Fault.Call.allCases == Fault.Call.ofStoreKitTest + others)
        #expect(others.allSatisfy { $0.isDisturbed })
    }

    @Test("a fault for every call is never used up")
    func aFaultForEveryCallIsNeverUsedUp() {
        var bench = Bench()
        bench.snapshot.faults = [
            Fault(id: 1, call: .purchase, error: .networkError, remaining: nil)
        ]
        let payment = Payment.of(SampleCatalog.coins)
        let facts = bench.buy(payment).facts.filter {
            if case .accountChanged = $0 { false } else { true }
        }
        #expect(
            facts == [
                .failed(
                    payment,
                    StoreError(
                        .networkError, productID: payment.productID, paymentID: payment.id))
            ])
    }

    @Test("a fault of another call leaves a purchase alone")
    func aFaultOfAnotherCallLeavesAPurchaseAlone() {
        for call in Fault.Call.allCases where call != .purchase && call != .verification {
            var bench = Bench()
            bench.snapshot.faults = [
                Fault(id: 1, call: call, error: .networkError, remaining: 1)
            ]
            #expect(bench.buy(.of(SampleCatalog.coins)).sale?.brokenSignature == nil)
        }
    }

    @Test(
        "a verification fault marks the sale whose signature will be broken, and is used up [C4]")
    func aVerificationFaultMarksTheSale() {
        for error in Fault.Call.verification.errors {
            var bench = Bench()
            bench.know(AccountSettings(name: "aoi", territory: "USA"))
            let fault = Fault(id: 4, call: .verification, error: error, remaining: 2)
            bench.snapshot.faults = [fault]
            let verdict = bench.buy(.of(SampleCatalog.coins))
            #expect(verdict.facts.first == .faultSpent(fault.spentOnce))
            #expect(verdict.sale?.brokenSignature == error)
        }
    }

    // MARK: - Refund requests

    private static let id = TransactionID(3)

    private static func bench(
        _ type: ProductType = .nonConsumable, account: AccountName = "aoi"
    ) -> Bench {
        var bench = Bench()
        bench.sell(Bench.sold(SampleCatalog.theme, type: type, account: account))
        return bench
    }

    private func ask(_ bench: Bench) -> Decided<RefundRequest> {
        bench.decide(AskForRefund(id: Self.id, reason: .broken, customer: Bench.aoi))
    }

    @Test("a refund is asked for once, of what the account bought and nothing gave back")
    func aRefundIsAskedForOnce() throws {
        let asked = ask(Self.bench())
        guard case .refundRequested(let request) = try #require(asked.facts.first) else {
            Issue.record("\(asked)")
            return
        }
        #expect(request.transactionID == Self.id && request.reason == .broken)
        #expect(asked.decision?.entries.first?.number == .existing(Self.id))

        var again = Self.bench()
        again.snapshot.refundRequests[Self.id] = request
        #expect(ask(again).refusal?.code == .duplicateRequest)

        var given = Self.bench()
        given.snapshot.transactions[Self.id]?.state.revocation = Revocation(
            date: Bench.now, reason: .other, takenBack: .all, refunded: .all,
            refundedMilliunits: 1)
        #expect(ask(given).refusal?.code == .duplicateRequest)

        #expect(ask(Self.bench(account: "kai")).refusal?.code == .transactionNotFound)
        var deleted = Self.bench()
        deleted.snapshot.transactions[Self.id]?.state.isDeleted = true
        #expect(ask(deleted).refusal?.code == .transactionNotFound)
        #expect(ask(Bench()).refusal?.code == .transactionNotFound)

        var shared = Self.bench()
        shared.snapshot.transactions[Self.id]?.sale.cause = .familyShare(of: TransactionID(1))
        #expect(ask(shared).refusal?.code == .sharedPurchase)
    }

    @Test("only a request that waits can be declined")
    func onlyARequestThatWaitsCanBeDeclined() {
        var bench = Self.bench()
        #expect(bench.perform(.declineRefund(Self.id)).refusal?.code == .refundNotRequested)
        let request = RefundRequest(
            transactionID: Self.id, account: "aoi", device: "phone",
            productID: SampleCatalog.theme, reason: .other, askedAt: Bench.now)
        bench.snapshot.refundRequests[Self.id] = request
        #expect(bench.perform(.declineRefund(Self.id)).facts == [.refundDeclined(request)])
    }

    @Test("a fault of refund requests fails the request, and is used up")
    func aFaultOfRefundRequestsFailsTheRequest() {
        var bench = Self.bench()
        let fault = Fault(id: 1, call: .refundRequest, error: .refundRequestFailed, remaining: 1)
        bench.snapshot.faults = [fault]
        #expect(ask(bench).facts == [.faultSpent(fault.spentOnce)])
        bench.snapshot.faults[0].remaining = nil
        #expect(ask(bench).refusal?.code == .refundRequestFailed)
    }

    // MARK: - Outside the app

    @Test(
        "a purchase outside the app sells without a device, and is refused as any purchase is [C5]")
    func aPurchaseOutsideTheAppSellsWithoutADevice() {
        func sell(_ bench: Bench, _ product: ProductID, _ quantity: Int = 1)
            -> Decided<[RecordedEntry]>
        { bench.perform(.buyOutside(product, account: "aoi", quantity: quantity)) }
        let verdict = sell(Bench(), SampleCatalog.coins, 3)
        #expect(verdict.sale?.cause == .outsideApp && verdict.sale?.quantity == 3)
        #expect(verdict.decision?.entries.allSatisfy { $0.device == nil } == true)
        #expect(verdict.decision?.entries.map(\.number) == [.none, .next], "a new account")

        let token = UUID()
        let named = Bench().perform(
            .buyOutside(SampleCatalog.coins, account: "aoi", quantity: 1, token: token))
        #expect(named.sale?.appAccountToken == token && verdict.sale?.appAccountToken == nil)

        #expect(sell(Bench(), "no.such").refusal?.code == .productUnavailable)
        #expect(sell(Bench(), SampleCatalog.theme, 2).refusal?.code == .invalidQuantity)
        #expect(sell(Self.bench(), SampleCatalog.theme).refusal?.code == .alreadyOwned)
        var banned = Bench()
        banned.know(AccountSettings(name: "aoi", territory: "USA", canMakePayments: false))
        #expect(sell(banned, SampleCatalog.coins).refusal?.code == .purchaseNotAllowed)
    }

    @Test("a promoted purchase is told to the account's app, if the product is for sale [C5]")
    func aPromotedPurchaseIsTold() {
        let verdict = Bench().perform(.promote(SampleCatalog.coins, account: "aoi"))
        #expect(verdict.facts == [.promoted(SampleCatalog.coins)])
        #expect(
            Bench().perform(.promote("no.such", account: "aoi")).refusal?.code
                == .productUnavailable)
    }
}
