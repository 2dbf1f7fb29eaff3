import Foundation
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// What a customer's feed shows of every kind of event, field by field. An operator's fact that
/// slips into the feed of a device changes one of these lines.
@Suite("a customer's feed", .timeLimit(.minutes(10))) struct CustomerFeedTests {
    private static let start = FeedCursor(epoch: 1, position: 0)

    @Test("a customer's feed shows these fields of each event and no others")
    func fields() async throws {
        let ledger = InMemoryLedger()
        let store = try await TestStore(ledger: ledger, elapsed: nil)
        try await LedgerConformance.recordEveryKind(in: ledger)
        var lines: [String] = []
        for account: AccountName in ["aoi", "kai"] {
            let session = store.session(account: account)
            let head = try await session.head()
            for try await batch in session.updates(after: Self.start) {
                lines += try batch.events.map { "to \(account): \(try Self.line($0))" }
                if batch.cursor == head { break }
            }
        }
        #expect(lines == (try Self.expected()))
    }

    // MARK: - Fields

    /// The fields that hold a value of this run: keys, dates of signing and made identifiers.
    private static let madeFields = [
        "signedDate", "deviceVerification", "deviceVerificationNonce", "appTransactionId",
    ]

    private static func line(_ event: StoreEvent) throws -> String {
        "\(event.cursor.position) \(event.at.milliseconds) \(event.account?.rawValue ?? "-") "
            + "\(event.device?.rawValue ?? "-") \(event.kind.rawValue) "
            + (try facts(event)).joined(separator: " ")
    }

    private static func facts(_ event: StoreEvent) throws -> [String] {
        #expect(event.namedSale == nil && event.index == 0 && event.happenedAt == event.at)
        return switch event.change {
        case .sold(let sale): try fields(#require(event.issued), sale)
        case .revised(let revision):
            [revision.kind.rawValue] + (try fields(#require(event.issued), revision))
        case .deleted(let id, let product, let revision):
            [id.description, product.rawValue, String(revision)]
        case .autoRenewChanged(let chain, let product, let isOn, let end):
            [chain.description, product.rawValue, "\(isOn)", try json(end)]
        case .subscriptionChanged(let event): [try json(event)]
        case .clockSet(let state): [try json(state)]
        case .renewalsSet(let settings): [try json(settings)]
        case .unknown(let kind): [String(kind)]
        case .deferred(let payment, let request, let reason):
            [try json(payment), request.description, reason.rawValue]
        case .failed(let payment, let error, let request):
            [try json(payment), try json(error), request?.description ?? "-"]
        case .refundRequested(let request), .refundDeclined(let request): [try json(request)]
        case .promoted(let product), .purchaseCancelled(let product): [product.rawValue]
        case .finished(let id): [id.description]
        case .claimed(let id, let device): [id.description, device.rawValue]
        case .catalogRevised(let revision, let release, _): [String(revision), try json(release)]
        case .accountChanged(let settings): [try json(settings)]
        case .familyChanged(let change): [try json(change)]
        case .valueChanged(let change): [try json(change)]
        // No device is told of these.
        case .serverSet, .consumptionAnswered, .extensionDone: ["told to a customer"]
        case .faultSet(let fault), .faultCleared(let fault): [try json(fault)]
        }
    }

    /// A sale's fields. Its facts are those of its signed text, and of the payment that it answers.
    private static func fields(
        _ issued: IssuedTransaction, _ sale: PastSale
    ) throws -> [String] {
        let payload = try #require(TransactionVerifier.unverifiedPayload(of: issued.signed))
        let told = PastSale(
            id: payload.transactionId, originalID: payload.originalTransactionId,
            productID: payload.productId, type: payload.type, quantity: payload.quantity,
            price: Money(milliunits: payload.price, currency: payload.currency),
            payment: issued.payment, device: sale.device, reason: payload.transactionReason,
            ownership: payload.inAppOwnershipType, purchasedAt: payload.purchaseDate,
            expiresAt: payload.expiresDate, storefront: payload.storefront,
            offerMode: payload.offerDiscountType.flatMap { OfferMode(rawValue: $0) },
            offerKind: payload.offerType.flatMap { OfferKind(number: $0) })
        #expect(sale == told)
        return try fields(issued)
    }

    /// A revision's fields. Beside its signed text only its kind and its product are told.
    private static func fields(
        _ issued: IssuedTransaction, _ revision: PastRevision
    ) throws -> [String] {
        #expect(
            revision
                == PastRevision(id: issued.id, kind: revision.kind, productID: issued.productID))
        return try fields(issued)
    }

    private static func fields(_ issued: IssuedTransaction) throws -> [String] {
        let payload = try #require(TransactionVerifier.unverifiedPayload(of: issued.signed))
        return [
            issued.id.description, issued.productID.rawValue, issued.type.rawValue,
            String(issued.revision), issued.payment == nil ? "-" : "payment",
            try json(issued.grant), try json(payload),
        ]
    }

    private static func json(_ value: (some Encodable)?) throws -> String {
        guard let value else { return "-" }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var text = String(decoding: try encoder.encode(value), as: UTF8.self)
        for field in madeFields {
            text.replace(try Regex("\"\(field)\":(\"[^\"]*\"|[0-9]+),?"), with: "")
        }
        return text.replacing(
            try Regex("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"), with: "uuid")
    }

    private static func expected() throws -> [String] {
        let file = URL(filePath: #filePath).appending(path: "../../../Kept/customer-feed.txt")
        return try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }
}
