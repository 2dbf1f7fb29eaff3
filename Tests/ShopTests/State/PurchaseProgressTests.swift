import Foundation
@testable import Shop
@testable import StoreModel
import Testing

/// The facts that a buyer gets: each known outcome once, and no fact that contradicts it.
@Suite("the progress of a purchase") struct PurchaseProgressTests {
    typealias Fact = PurchaseProgress.Fact
    typealias Input = PurchaseProgress.Input

    static let payment = Payment(
        id: PaymentID("018f3c1e-0000-7000-8000-000000000001") ?? PaymentID.made(at: Date()),
        productID: "coins", shownPrice: Money(milliunits: 990, currency: "USD"))
    static let other = Payment(
        id: PaymentID("018f3c1e-0000-7000-8000-000000000002") ?? PaymentID.made(at: Date()),
        productID: "coins", shownPrice: Money(milliunits: 990, currency: "USD"))
    static let id = TransactionID(1_000_001)
    static let sold = Input.answered(.purchased("a.b.c", id: id, alreadyOwned: false))
    static let bought = Fact.purchased("a.b.c", id: id, alreadyOwned: false)
    static let full = StoreError(.storeFull)
    static let busy = StoreError(.storeBusy)
    static let lost = StoreError(.outcomeUnknown)
    static let declined = StoreError(.approvalDeclined)
    static let unfinished = Input.queried(isUnfinished: true, downloads: [])
    static let finished = Input.queried(isUnfinished: false, downloads: [])

    static func download(_ state: Download.State, _ error: StoreError? = nil) -> Download {
        Download(
            transactionID: id, productID: "book", contentID: "text", version: "1",
            state: state, bytesReceived: 1, bytesExpected: 2, error: error)
    }

    static func fetching(_ state: Download.State, _ error: StoreError? = nil) -> Input {
        .queried(isUnfinished: true, downloads: [download(state, error)])
    }

    static func claimed(_ id: TransactionID) -> TransactionPayload {
        TransactionPayload(
            appAccountToken: nil, appTransactionId: "7", bundleId: "b", currency: "USD",
            environment: .sandbox, expiresDate: nil, originalPurchaseDate: .earliest,
            originalTransactionId: id, price: 990, productId: "coins", purchaseDate: .earliest,
            quantity: 1, signedDate: .earliest, storefront: "USA", storefrontId: "143441",
            subscriptionGroupIdentifier: nil, transactionId: id, type: .consumable,
            webOrderLineItemId: nil)
    }

    static func before(_ id: TransactionID) -> TransactionID { TransactionID(id.number - 1) }

    static func arrived(_ id: TransactionID) -> Input {
        .observed(.transaction(.verified(claimed(id)), signed: "a.b.c", isNew: true))
    }

    static func broken(_ claimed: TransactionPayload?) -> Input {
        .observed(
            .transaction(.unverified(claimed, .invalidSignature), signed: "d.e.f", isNew: false))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var what: String
        var wait: PurchaseProgress.Wait = .delivery
        var earlier: StoreError?
        var inputs: [Input]
        var facts: [Fact]
        var isWaiting = false
        var testDescription: String { what }
    }

    static let rows = [
        Row(
            what: "sold, delivered", inputs: [sold, unfinished, finished],
            facts: [bought, .finished]),
        Row(
            what: "sold, finished by its event", inputs: [sold, .observed(.event(.finished(id)))],
            facts: [bought, .finished]),
        Row(
            what: "another transaction's finish does not end the wait",
            inputs: [sold, .observed(.event(.finished(TransactionID(9))))], facts: [bought],
            isWaiting: true
        ),
        Row(what: "nothing is waited for", wait: [], inputs: [sold, finished], facts: [bought]),
        Row(
            what: "a repeated answer is reported once",
            inputs: [sold, sold, .answered(.failed(declined)), unfinished], facts: [bought],
            isWaiting: true),
        Row(
            what: "a full disk after the sale",
            inputs: [sold, .observed(.trouble(full, ended: false)), unfinished],
            facts: [bought, .delayed(full)]),
        Row(
            what: "a full disk before the sale keeps it from being delivered",
            inputs: [.observed(.trouble(full, ended: false)), sold, unfinished],
            facts: [bought, .delayed(full)]),
        Row(
            what: "the same for the next payment of the same process", earlier: full,
            inputs: [sold, unfinished], facts: [bought, .delayed(full)]),
        Row(
            what: "a sale that was delivered after all is finished", earlier: full,
            inputs: [sold, finished], facts: [bought, .finished]),
        Row(
            what: "an error that is over does not end the wait", earlier: full,
            inputs: [.observed(.leaseTaken), sold, unfinished], facts: [bought], isWaiting: true),
        Row(
            what: "a record of unlocks that cannot be written keeps no sale from its delivery",
            inputs: [sold, .observed(.trouble(full, in: .unlocks, ended: false)), unfinished],
            facts: [bought], isWaiting: true),
        Row(
            what: "a busy store is waited for",
            inputs: [sold, .observed(.trouble(busy, ended: false)), unfinished], facts: [bought],
            isWaiting: true),
        Row(
            what: "an observer that has ended is not waited for",
            inputs: [sold, .observed(.trouble(busy, ended: true)), unfinished],
            facts: [bought, .delayed(busy)]),
        Row(
            what: "a failed query does not take the outcome back",
            inputs: [sold, .queryFailed(full)],
            facts: [bought, .delayed(full)]),
        Row(
            what: "the end of the stream does not take the outcome back",
            inputs: [sold, .observerEnded],
            facts: [bought, .delayed(nil)]),
        Row(
            what: "a download under way is waited for", inputs: [sold, fetching(.active)],
            facts: [bought], isWaiting: true),
        Row(
            what: "a paused download ends the wait", inputs: [sold, fetching(.paused)],
            facts: [bought, .downloadStopped(download(.paused))]),
        Row(
            what: "a failed download says why", inputs: [sold, fetching(.failed, busy)],
            facts: [bought, .downloadStopped(download(.failed, busy))]),
        Row(
            what: "a claim by another device ends the wait",
            inputs: [sold, .observed(.event(.claimed(id, by: "tablet")))],
            facts: [bought, .claimed(by: "tablet")]),
        Row(
            what: "an unverified sale is not waited for",
            inputs: [
                sold,
                .observed(
                    .transaction(
                        .unverified(claimed(id), .invalidSignature), signed: "a.b.c", isNew: false)),
            ],
            facts: [bought, .notVerified(.invalidSignature)]),
        Row(
            what: "an unverified text that claims no number is known by being the answer's",
            inputs: [
                sold,
                .observed(
                    .transaction(
                        .unverified(nil, .invalidEncoding), signed: "a.b.c", isNew: false)),
            ],
            facts: [bought, .notVerified(.invalidEncoding)]),
        Row(
            what: "another unverified text does not end the wait",
            inputs: [
                sold,
                .observed(
                    .transaction(
                        .unverified(nil, .invalidEncoding), signed: "d.e.f", isNew: false)),
            ],
            facts: [bought], isWaiting: true),
        Row(
            what: "an answer that is not verified is not waited for",
            inputs: [
                .answered(
                    .purchased("a.b.c", id: id, alreadyOwned: false), .missingRequiredProperties),
                unfinished,
            ],
            facts: [bought, .notVerified(.missingRequiredProperties)]),
        Row(
            what: "an answer that is not verified says so also if nothing is waited for", wait: [],
            inputs: [
                .answered(.purchased("a.b.c", id: id, alreadyOwned: false), .invalidSignature)
            ],
            facts: [bought, .notVerified(.invalidSignature)]),
        Row(
            what: "the sale arrives", wait: .arrival,
            inputs: [sold, arrived(id)], facts: [bought, .arrived]),
        Row(
            what: "the sale arrives before the answer", wait: .arrival,
            inputs: [arrived(id), sold], facts: [bought, .arrived]),
        Row(
            what: "another sale is not the one awaited", wait: .arrival,
            inputs: [arrived(before(id)), sold, arrived(before(id))],
            facts: [bought], isWaiting: true),
        Row(
            what: "an unverified sale comes before the answer", wait: .arrival,
            inputs: [broken(claimed(id)), sold], facts: [bought, .notVerified(.invalidSignature)]),
        Row(
            what: "an unverified sale of another number comes before the answer", wait: .arrival,
            inputs: [broken(claimed(before(id))), sold], facts: [bought], isWaiting: true),
        Row(
            what: "an unreadable sale does not arrive again", wait: .arrival,
            inputs: [broken(nil), sold], facts: [bought, .notVerified(.invalidSignature)]),
        Row(
            what: "a sale of what was owned is not awaited", wait: .arrival,
            inputs: [.answered(.purchased("a.b.c", id: id, alreadyOwned: true))],
            facts: [.purchased("a.b.c", id: id, alreadyOwned: true)]),
        Row(what: "refused", inputs: [.couldNotAsk(full), sold], facts: [.failed(full)]),
        Row(what: "unknown", inputs: [.couldNotAsk(lost), finished], facts: [.unknown(lost)]),
        Row(
            what: "failed by its event, before the answer",
            inputs: [
                .observed(.event(.failed(payment, declined, request: nil))),
                .answered(.failed(declined)),
            ],
            facts: [.failed(declined)]),
        Row(
            what: "another payment's failure changes nothing",
            inputs: [.observed(.event(.failed(other, declined, request: nil))), sold],
            facts: [bought], isWaiting: true),
        Row(
            what: "pending is an outcome",
            inputs: [.answered(.pending(request: id, reason: .askToBuy)), .couldNotAsk(full)],
            facts: [.pending(request: id, reason: .askToBuy)]),
        Row(
            what: "pending, then approved", wait: [.delivery, .approval],
            inputs: [
                .observed(.event(.deferred(payment, request: id, reason: .askToBuy))),
                .answered(.pending(request: id, reason: .askToBuy)), sold,
                finished,
            ],
            facts: [.pending(request: id, reason: .askToBuy), bought, .finished]),
        Row(
            what: "pending, then declined", wait: .approval,
            inputs: [
                .answered(.pending(request: id, reason: .askToBuy)),
                .observed(.event(.failed(payment, declined, request: nil))),
            ],
            facts: [.pending(request: id, reason: .askToBuy), .failed(declined)]),
        Row(
            what: "a pending outcome stays if the store cannot be asked again", wait: .approval,
            inputs: [.answered(.pending(request: id, reason: .askToBuy)), .couldNotAsk(full)],
            facts: [.pending(request: id, reason: .askToBuy), .delayed(full)]),
    ]

    @Test("each sequence of inputs gives its facts", arguments: rows)
    func facts(_ row: Row) {
        var progress = PurchaseProgress(
            Self.payment.id, waitingFor: row.wait, trouble: row.earlier)
        let facts = row.inputs.flatMap { progress.take($0) }
        #expect(facts == row.facts)
        #expect(progress.isWaiting == row.isWaiting)
    }

    @Test("a known outcome is reported once and never contradicted by later inputs")
    func neverTakenBack() {
        let inputs: [Input] =
            [Self.sold, Self.unfinished, Self.finished, .observerEnded, .couldNotAsk(Self.lost)]
            + [Self.full, Self.busy, Self.lost].flatMap { error in
                [
                    .couldNotAsk(error), .queryFailed(error),
                    .observed(.trouble(error, ended: false)),
                    .observed(.trouble(error, ended: true)),
                    .observed(.event(.failed(Self.payment, error, request: nil))),
                    .answered(.failed(error)),
                ]
            }
        for first in inputs {
            for second in inputs {
                var progress = PurchaseProgress(Self.payment.id, waitingFor: .delivery)
                let facts = [Self.sold, first, second].flatMap { progress.take($0) }
                #expect(facts.first == Self.bought)
                for fact in facts.dropFirst() {
                    switch fact {
                    case .purchased, .pending, .failed, .unknown:
                        Issue.record("\(first), \(second): \(fact)")
                    case .finished, .arrived, .downloadStopped, .claimed, .notVerified, .delayed:
                        break
                    }
                }
                #expect(facts.count <= 2)
            }
        }
    }
}
