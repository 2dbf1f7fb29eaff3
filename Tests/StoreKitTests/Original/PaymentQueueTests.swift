import Foundation
import StoreHost
import StoreKit
import StoreModel
import Testing

// The queue follows the store of the process: with `ProcessTests`, one after the other.
extension ProcessTests {
    @Suite struct PaymentQueueTests {
        private var queue: SKPaymentQueue { .default() }

        @Test(
            "a payment is purchasing, then purchased, and leaves the queue when it is finished [H2]"
        )
        func purchased() async throws {
            try await QueueTest.run { test, recorder in
                let payment = try await test.payment(TestSession.coins)
                payment.quantity = 2
                payment.applicationUsername = "0C7B8A50-5B39-4B34-9D37-6B8B7F0F6D11"
                queue.add(payment)
                #expect(queue.transactions.map(\.transactionState) == [.purchasing])
                let first = await recorder.next()
                #expect(first.text == "updated test.coins purchasing" && first.isOnMainQueue)
                let second = await recorder.next()
                #expect(second.text == "updated test.coins purchased")
                // Each object keeps the state that it told, and all are of one transaction.
                #expect(first.transactions[0].transactionState == .purchasing)
                #expect(first.transactions == second.transactions)
                let bought = try #require(second.transactions.first)
                #expect(bought.payment.quantity == 2 && bought.payment == payment)
                #expect(bought.transactionDate != nil && bought.error == nil)
                #expect(queue.transactions == [bought] && bought.downloads.isEmpty)
                let latest = try #require(await Transaction.latest(for: TestSession.coins))
                    .payloadValue
                #expect(String(latest.id) == bought.transactionIdentifier)
                #expect(latest.appAccountToken?.uuidString == payment.applicationUsername)
                queue.finishTransaction(bought)
                #expect(queue.transactions.isEmpty)
                for await _ in Transaction.unfinished { Issue.record("not finished") }
                #expect(await recorder.next().text == "removed test.coins purchased")
            }
        }

        @Test("every observer hears the same, until it is removed; a new one hears what is there")
        func observers() async throws {
            try await QueueTest.run { test, first in
                let second = QueueRecorder()
                queue.add(second)
                queue.add(second)
                #expect(queue.transactionObservers.count == 2)
                queue.add(try await test.payment(TestSession.coins))
                let expected = ["updated test.coins purchasing", "updated test.coins purchased"]
                #expect(await first.next(2) == expected)
                #expect(await second.next(2) == expected)
                queue.remove(second)
                SKPaymentQueue().add(try await test.payment(TestSession.theme))
                #expect(
                    await first.next(2)
                        == ["updated test.theme purchasing", "updated test.theme purchased"])
                let third = QueueRecorder()
                queue.add(third)
                #expect(
                    await third.next().text
                        == "updated test.coins purchased, test.theme purchased")
                queue.remove(third)
                #expect(queue.transactionObservers.count == 1)
            }
        }

        @Test("an observer is not kept alive")
        func weakObserver() async throws {
            try await QueueTest.run { _, _ in
                queue.add(QueueRecorder())
                #expect(queue.transactionObservers.count == 1)
            }
        }

        @Test("Ask to Buy: deferred, then purchased when approved, failed when declined")
        func deferred() async throws {
            try await QueueTest.run { test, recorder in
                for id in [TestSession.coins, TestSession.theme] {
                    let payment = try await test.payment(id)
                    payment.simulatesAskToBuyInSandbox = true
                    queue.add(payment)
                    #expect(
                        await recorder.next(2)
                            == ["updated \(id) purchasing", "updated \(id) deferred"])
                }
                try await test.session.perform(.approve(try await test.request))
                // Visible when the call returns.
                #expect(queue.transactions.map(\.transactionState) == [.purchased, .deferred])
                try await test.session.perform(.decline(try await test.request))
                #expect(
                    await recorder.next(2)
                        == ["updated test.coins purchased", "updated test.theme failed"])
                let failed = try #require(queue.transactions.last)
                #expect(failed.error is SKError && failed.transactionIdentifier == nil)
                queue.finishTransaction(failed)
                #expect(queue.transactions.map(\.transactionState) == [.purchased])
            }
        }

        @Test("an interrupted purchase fails, and is purchased when it is resolved")
        func interrupted() async throws {
            try await QueueTest.run { test, recorder in
                try await test.change { $0.interruptsPurchases = true }
                let payment = try await test.payment(TestSession.theme)
                payment.applicationUsername = "somebody"
                queue.add(payment)
                #expect(
                    await recorder.next(2)
                        == ["updated test.theme purchasing", "updated test.theme failed"])
                queue.finishTransaction(try #require(queue.transactions.first))
                try await test.change { $0.interruptsPurchases = false }
                try await test.session.perform(.resolve(try await test.request))
                #expect(
                    await recorder.next(2)
                        == ["removed test.theme failed", "updated test.theme purchased"])
                #expect(queue.transactions.first?.payment.applicationUsername == "somebody")
            }
        }

        @Test(
            "a payment that fails has StoreKit 1's number",
            arguments: [
                (StoreError.Code.userCancelled, SKError.Code.paymentCancelled),
                (.purchaseNotAllowed, .paymentNotAllowed),
                (.privacyAcknowledgementRequired, .privacyAcknowledgementRequired),
                (.invalidOfferPrice, .invalidOfferPrice), (.systemError, .unknown),
            ])
        func failed(_ fault: StoreError.Code, _ expected: SKError.Code) async throws {
            try await QueueTest.run { test, recorder in
                try await test.session.perform(.failNext(.purchase, error: fault, count: 1))
                queue.add(try await test.payment(TestSession.coins))
                #expect(await recorder.next().text == "updated test.coins purchasing")
                let failed = await recorder.next()
                #expect(failed.text == "updated test.coins failed")
                #expect((failed.transactions[0].error as? SKError)?.code == expected)
                queue.finishTransaction(failed.transactions[0])
                #expect(await recorder.next().text == "removed test.coins failed")
            }
        }

        @Test("a payment that is none is refused")
        func refused() async throws {
            try await QueueTest.run { test, recorder in
                func code(of payment: SKPayment) async -> SKError.Code? {
                    queue.add(payment)
                    _ = await recorder.next()
                    let failed = await recorder.next().transactions.first
                    return (failed?.error as? SKError)?.code
                }
                let unknown = SKMutablePayment()
                unknown.productIdentifier = "test.unknown"
                #expect(await code(of: unknown) == .storeProductNotAvailable)
                let many = try await test.payment(TestSession.coins)
                many.quantity = 11
                #expect(await code(of: many) == .paymentInvalid)
                let data = try await test.payment(TestSession.coins)
                data.requestData = Data([1])
                #expect(await code(of: data) == .unauthorizedRequestData)
                let offer = try await test.payment(TestSession.monthly)
                offer.paymentDiscount = SKPaymentDiscount(
                    identifier: "half", keyIdentifier: "KEY", nonce: UUID(), signature: "AAAA",
                    timestamp: 1)
                #expect(await code(of: offer) == .invalidOfferIdentifier)
            }
        }

        @Test("a sale outside the app is in the queue when the call returns, and so is its refund")
        func outside() async throws {
            try await QueueTest.run { test, recorder in
                try await test.outside(TestSession.theme)
                let sold = try #require(queue.transactions.first)
                #expect(sold.transactionState == .purchased && sold.original == nil)
                try await test.outside(TestSession.monthly)
                let plan = try #require(
                    queue.transactions.last?.transactionIdentifier.flatMap { TransactionID($0) })
                try await test.session.perform(.renew(plan))
                #expect(queue.transactions.count == 3)
                let id = try #require(sold.transactionIdentifier.flatMap { TransactionID($0) })
                try await test.session.perform(.refund(id, .rest, reason: .other))
                #expect(
                    await recorder.next(4)
                        == [
                            "updated test.theme purchased", "updated test.monthly purchased",
                            "updated test.monthly purchased", "revoked test.theme",
                        ])
            }
        }

        @Test("a purchase of StoreKit 2 is in the queue until it is finished there")
        func storeKit2() async throws {
            try await QueueTest.run { test, recorder in
                let product = try #require(
                    try await Product.products(for: [TestSession.theme]).first)
                guard case .success(let result) = try await product.purchase() else {
                    Issue.record("not sold")
                    return
                }
                #expect(await recorder.next().text == "updated test.theme purchased")
                await result.unsafePayloadValue.finish()
                #expect(await recorder.next().text == "removed test.theme purchased")
            }
        }

        @Test(
            "a restore brings back past purchases with their originals, then says that it has [H2]")
        func restored() async throws {
            try await QueueTest.run { test, recorder in
                try await test.outside(TestSession.coins)
                try await test.outside(TestSession.theme)
                try await test.outside(TestSession.monthly)
                _ = await recorder.next(3)
                let ids = queue.transactions.dropFirst().map(\.transactionIdentifier)
                for transaction in queue.transactions { queue.finishTransaction(transaction) }
                _ = await recorder.next(3)
                queue.restoreCompletedTransactions()
                let restored = await recorder.next()
                #expect(
                    restored.text == "updated test.monthly restored, test.theme restored")
                #expect(restored.transactions.reversed().map(\.transactionIdentifier) == ids)
                #expect(
                    restored.transactions.reversed().map { $0.original?.transactionIdentifier }
                        == ids)
                #expect(restored.transactions[0].original?.transactionState == .purchased)
                #expect(await recorder.next().text == "restore finished")
                // A second restore finds the same transactions.
                queue.restoreCompletedTransactions(withApplicationUsername: "somebody")
                #expect(await recorder.next().transactions == restored.transactions)
                _ = await recorder.next()
                for transaction in queue.transactions { queue.finishTransaction(transaction) }
                #expect(queue.transactions.isEmpty)
            }
        }

        @Test("a restore that fails says so")
        func restoreFailed() async throws {
            try await QueueTest.run { test, recorder in
                try await test.session.perform(
                    .failNext(.appStoreSync, error: .networkError, count: 1))
                queue.restoreCompletedTransactions()
                #expect(await recorder.next().text == "restore failed 7")
            }
        }

        @Test("a purchase that was begun outside the app is bought if an observer wants it")
        func promoted() async throws {
            for wants in [false, true] {
                try await QueueTest.run(wantsPromoted: wants) { test, recorder in
                    try await test.session.perform(
                        .promote(ProductID(TestSession.theme), account: "me"))
                    #expect(await recorder.next().text == "promoted test.theme Theme")
                    guard wants else { return #expect(queue.transactions.isEmpty) }
                    #expect(
                        await recorder.next(2)
                            == ["updated test.theme purchasing", "updated test.theme purchased"])
                }
            }
        }

        @Test("a purchase that was begun before the store was the process's is asked about once")
        func promotedBefore() async throws {
            try await QueueTest.run { _, recorder in
                let second = try await TestSession()
                try await second.session.perform(
                    .promote(ProductID(TestSession.theme), account: "me"))
                AppStoreProcess.begin(second.session)
                defer { AppStoreProcess.end(second.session) }
                #expect(await recorder.next().text == "promoted test.theme Theme")
                AppStoreProcess.end(second.session)
                AppStoreProcess.begin(second.session)
                try await second.outside(TestSession.coins)
                #expect(await recorder.next().text == "updated test.coins purchased")
            }
        }

        @Test("observers hear of another territory, and of nothing else that was set")
        func storefront() async throws {
            try await QueueTest.run { test, recorder in
                #expect(queue.storefront?.countryCode == "USA")
                #expect(SKPaymentQueue.canMakePayments())
                try await test.change { $0.disablesDialogs = true }
                try await test.change { $0.territory = "DEU" }
                #expect(await recorder.next().text == "storefront DEU")
                try await test.change { $0.canMakePayments = false }
                #expect(!SKPaymentQueue.canMakePayments())
            }
        }

        @Test("nothing of one store's queue appears in the next one's")
        func nextSession() async throws {
            try await QueueTest.run { first, recorder in
                try await first.outside(TestSession.theme)
                _ = await recorder.next()
                let sold = try #require(queue.transactions.first)
                try await QueueTest.run { second, _ in
                    #expect(queue.transactions.isEmpty)
                    try await second.outside(TestSession.coins)
                    #expect(await recorder.next().text == "updated test.coins purchased")
                    // Of another store: nothing to finish here.
                    queue.finishTransaction(sold)
                    #expect(queue.transactions.count == 1)
                }
                // The older one is the process's again.
                #expect(await recorder.next().text == "updated test.theme purchased")
                #expect(queue.transactions.map(\.payment.productIdentifier) == [TestSession.theme])
            }
        }

        @Test("a payment is made in the process's store, also by a task that is bound to another")
        func bound() async throws {
            try await QueueTest.run { test, recorder in
                let payment = try await test.payment(TestSession.theme)
                try await TestSession.with { _ in
                    queue.add(payment)
                    _ = await recorder.next(2)
                    #expect(await Transaction.latest(for: TestSession.theme) == nil)
                }
                #expect(await Transaction.latest(for: TestSession.theme) != nil)
            }
        }

        @Test("finishing a purchasing transaction traps with a sentence")
        func finishingTooEarly() async throws {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                SKPaymentQueue.default().finishTransaction(PurchasingMock())
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("test.mock' that is still purchasing. Finish only transactions"))
        }
    }
}

final class PurchasingMock: SKPaymentTransaction, @unchecked Sendable {
    override var transactionState: SKPaymentTransactionState { .purchasing }
    override var payment: SKPayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = "test.mock"
        return payment
    }
}
