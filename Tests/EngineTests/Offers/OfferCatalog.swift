import Foundation
@testable import StoreCatalog
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// The sample catalog with offers of its monthly subscription.
enum OfferCatalog {
    static func dollar(_ milliunits: Int64) -> Money {
        Money(milliunits: milliunits, currency: "USD")
    }
    static let week = SubscriptionPeriod(unit: .week, value: 1)
    static let month = SubscriptionPeriod(unit: .month, value: 1)
    static let trial = CatalogProduct.Offer(kind: .introductory, mode: .freeTrial, period: week)
    static let half = CatalogProduct.Offer(
        kind: .promotional, id: "half", mode: .payAsYouGo, period: month, periodCount: 3,
        prices: .byTerritory(["USA": 2490, "JPN": 300_000]))
    static let spring = CatalogProduct.Offer(
        kind: .code, id: "spring", mode: .payUpFront,
        period: SubscriptionPeriod(unit: .month, value: 2), prices: .byTerritory(["USA": 5_000]),
        codes: [.init(code: "SPRING"), .init(code: "RARE", limit: 1)])
    static let back = CatalogProduct.Offer(
        kind: .winBack, id: "back", mode: .freeTrial, period: month)

    static func catalog(
        _ offers: [CatalogProduct.Offer], of product: ProductID = SampleCatalog.monthly
    ) -> Catalog {
        var catalog = SampleCatalog.catalog()
        for index in catalog.products.indices where catalog.products[index].id == product {
            catalog.products[index].subscription?.offers = offers
        }
        return catalog
    }

    static func store(_ offers: [CatalogProduct.Offer]) async throws -> TestStore {
        try await TestStore(elapsed: nil, catalog: catalog(offers))
    }
}

extension TestStore {
    /// The periods of all subscriptions, in order of their transaction ids, without family shares.
    func periods() async throws -> [TransactionRow] {
        try await ledger.allRows().transactions.values
            .filter { $0.sale.term != nil }.sorted { $0.id < $1.id }
    }

    func advance(_ period: SubscriptionPeriod) async throws {
        _ = try await console.perform(.clock(.advance(.calendar(period))))
    }

    func next() async throws -> [StoreEvent] {
        try await console.perform(.clock(.next))
    }

    /// A payment that asks for a promotional offer, signed by the store's key.
    func signed(
        _ offer: OfferID, of product: ProductID = SampleCatalog.monthly, isJWS: Bool = false,
        token: UUID? = nil
    ) async throws -> Payment {
        var payment = Payment.of(product)
        payment.appAccountToken = token
        payment.offer = PaymentOffer(kind: .promotional, id: offer)
        let signature = try await engine.signOffer(of: payment, isJWS: isJWS)
        payment.offer?.signature = signature
        return payment
    }

    func code(_ code: String, _ offer: OfferID = "spring") -> Payment {
        var payment = Payment.of(SampleCatalog.monthly)
        payment.offer = PaymentOffer(kind: .code, id: offer, code: code)
        return payment
    }

    func payload(of id: TransactionID?) async throws -> TransactionPayload {
        let signed = try await session().transaction(try #require(id))
        guard case .verified(let transaction) = try await Self.verifier().verify(signed) else {
            throw StoreError(.verificationFailed)
        }
        return transaction.payload
    }

    func renewalInfo(of account: AccountName = "aoi") async throws -> RenewalInfoPayload {
        let status = try #require(
            try await session(account: account).subscriptionStatuses().first)
        return try await Self.verifier().verify(status.renewalInfo)
    }
}
