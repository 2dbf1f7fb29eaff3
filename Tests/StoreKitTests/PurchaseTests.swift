import Crypto
import Foundation
import StoreKit
import StoreModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct PurchaseTests {
    private func product(_ id: String) async throws -> Product {
        try #require(try await Product.products(for: [id]).first)
    }

    @discardableResult
    private func buy(
        _ id: String, _ options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        guard
            case .success(.verified(let transaction)) = try await product(id)
                .purchase(options: options)
        else { throw CancellationError() }
        return transaction
    }

    private func list(_ transactions: Transaction.Transactions) async throws -> [String] {
        var found: [String] = []
        for await result in transactions { found.append(try result.payloadValue.productID) }
        return found
    }

    @Test("products have the configuration's names, prices and subscription")
    func products() async throws {
        try await TestSession.with { _ in
            let ids: Set = [TestSession.coins, TestSession.monthly, "test.unknown"]
            let products = try await Product.products(for: ids)
            #expect(products.map(\.id) == [TestSession.coins, TestSession.monthly])
            #expect(products[0].displayName == "Coins" && products[0].displayPrice == "$0.99")
            #expect(products[0].type == .consumable && products[0].subscription == nil)
            let plan = try #require(products[1].subscription)
            #expect(plan.subscriptionPeriod == .monthly && plan.groupDisplayName == "Club")
            #expect(plan.introductoryOffer?.paymentMode == .freeTrial)
            #expect(await plan.isEligibleForIntroOffer)
        }
    }

    @Test("a product stays equal to itself when the account buys it")
    func equality() async throws {
        try await TestSession.with { _ in
            let before = try await product(TestSession.monthly)
            try await buy(TestSession.monthly)
            let after = try await product(TestSession.monthly)
            #expect(before == after && before.hashValue == after.hashValue)
            #expect(await before.subscription?.isEligibleForIntroOffer == false)
        }
    }

    @Test("a purchase is in the lists when it returns, until the app finishes it [H1]")
    func lists() async throws {
        try await TestSession.with { _ in
            let token = UUID()
            let coins = try await buy(TestSession.coins, [.quantity(2), .appAccountToken(token)])
            #expect(coins.purchasedQuantity == 2 && coins.appAccountToken == token)
            #expect(coins.price == Decimal(string: "1.98") && coins.environment == .xcode)
            let theme = try await buy(TestSession.theme)
            #expect(
                try await list(Transaction.unfinished) == [TestSession.coins, TestSession.theme])
            #expect(try await list(Transaction.all) == [TestSession.theme, TestSession.coins])
            #expect(try await list(Transaction.currentEntitlements) == [TestSession.theme])
            await coins.finish()
            await theme.finish()
            #expect(try await list(Transaction.unfinished) == [])
            #expect(try await list(Transaction.all) == [TestSession.theme])
            #expect(
                await Transaction.latest(for: TestSession.coins)?.unsafePayloadValue.id == coins.id)
        }
    }

    @Test("the updates lack what a purchase returned, and have what happened to it later")
    func updates() async throws {
        try await TestSession.with { test in
            var updates = Transaction.updates.makeAsyncIterator()
            let theme = try await buy(TestSession.theme)
            await theme.finish()
            try await test.session.perform(
                .refund(TransactionID(theme.id), .rest, reason: .app))
            let update = try #require(await updates.next()).payloadValue
            #expect(update.id == theme.id && update.revocationReason == .developerIssue)
            #expect(try await list(Transaction.currentEntitlements) == [])
        }
    }

    @Test("of what is delivered twice, an app hears again unless it waits to be finished already")
    func updatesTwice() async throws {
        try await TestSession.with { test in
            var updates = Transaction.updates.makeAsyncIterator()
            try await test.session.perform(
                .failNext(.updates, error: .deliveredTwice, count: 2))
            let theme = try await buy(TestSession.theme)
            #expect(try await updates.next()?.payloadValue.id == theme.id)
            try await test.outside(TestSession.coins)
            let coins = try #require(await updates.next()).payloadValue
            #expect(coins.productID == TestSession.coins)
            #expect(try await test.session.console.faults().isEmpty)
            try await test.outside(TestSession.coins)
            let next = try #require(await updates.next()).payloadValue
            #expect(next.productID == TestSession.coins && next.id != coins.id)
            #expect(try await list(Transaction.currentEntitlements) == [TestSession.theme])
        }
    }

    @Test("an update that is held back comes with the next one, and no call waits for it")
    func updatesLate() async throws {
        try await TestSession.with { test in
            var updates = Transaction.updates.makeAsyncIterator()
            try await test.session.perform(
                .failNext(.updates, error: .deliveredOutOfOrder, count: 1))
            for product in [TestSession.coins, TestSession.theme] {
                try await test.session.perform(
                    .buyOutside(ProductID(product), account: "me", quantity: 1))
            }
            for product in [TestSession.theme, TestSession.coins] {
                #expect(try await updates.next()?.payloadValue.productID == product)
            }
        }
    }

    @Test("an approved purchase is an update, and so is one outside the app")
    func approved() async throws {
        try await TestSession.with { test in
            var updates = Transaction.updates.makeAsyncIterator()
            let result = try await product(TestSession.theme)
                .purchase(options: [.simulatesAskToBuyInSandbox(true)])
            guard case .pending = result else { throw CancellationError() }
            let request = try #require(try await test.session.console.pendingRequests().first)
            try await test.session.perform(.approve(request.number))
            try await test.session.perform(
                .buyOutside(ProductID(TestSession.coins), account: "me", quantity: 1))
            #expect(try await updates.next()?.payloadValue.productID == TestSession.theme)
            #expect(try await updates.next()?.payloadValue.productID == TestSession.coins)
        }
    }

    @Test("a purchase that asks to buy leaves the account's setting alone, on or off")
    func simulatesAskToBuy() async throws {
        try await TestSession.with { test in
            // The account's first purchase records its settings.
            try await buy(TestSession.coins)
            await test.session.catchUp()
            var updates = AppUpdateReader(test.session.board, isBound: true)
            guard
                case .pending = try await product(TestSession.theme)
                    .purchase(options: [.simulatesAskToBuyInSandbox(true)])
            else { return #expect(Bool(false)) }
            while let update = await updates.next() {
                guard case .event(let event, _, _) = update else { continue }
                if case .accountChanged = event.change { Issue.record("a setting has changed") }
                if case .deferred = event.change { break }
            }
            try await test.session.perform(
                .changeAccount(AccountChange(account: "me", askToBuy: true)))
            guard
                case .pending = try await product(TestSession.coins)
                    .purchase(options: [.simulatesAskToBuyInSandbox(false)])
            else { return #expect(Bool(false)) }
        }
    }

    @Test("a new reader of the updates first gets what is unfinished")
    func unfinishedFirst() async throws {
        try await TestSession.with { test in
            try await test.session.perform(
                .buyOutside(ProductID(TestSession.theme), account: "me", quantity: 1))
            var updates = Transaction.updates.makeAsyncIterator()
            #expect(try await updates.next()?.payloadValue.productID == TestSession.theme)
        }
    }

    @Test("a subscription has a status, which a renewal changes [H1]")
    func subscription() async throws {
        try await TestSession.with { test in
            let bought = try await buy(TestSession.monthly)
            #expect(bought.offer?.type == .introductory)
            let status = try #require(await bought.subscriptionStatus)
            #expect(status.state == .subscribed)
            #expect(try status.renewalInfo.payloadValue.willAutoRenew)
            #expect(await SubscriptionInfo.isEligibleForIntroOffer(for: TestSession.group) == false)
            try await test.session.perform(.renew(TransactionID(bought.id)))
            let latest = try #require(await Transaction.latest(for: TestSession.monthly))
            #expect(try latest.payloadValue.reason == .renewal)
            try await test.session.perform(.expire(TransactionID(bought.id)))
            let after = try await SubscriptionInfo.status(for: TestSession.group)
            #expect(after.map(\.state) == [.expired])
        }
    }

    @Test("a failure set in the store is the error that StoreKit throws [H1]")
    func failures() async throws {
        try await TestSession.with { test in
            let coins = try await product(TestSession.coins)
            try await test.session.perform(.failNext(.loadProducts, error: .networkError, count: 1))
            let error = await #expect(throws: StoreKitError.self) {
                try await Product.products(for: [TestSession.coins])
            }
            guard case .networkError = error else { return #expect(Bool(false), "\(error as Any)") }
            try await test.session.perform(
                .failNext(.purchase, error: .purchaseNotAllowed, count: 1))
            await #expect(throws: Product.PurchaseError.purchaseNotAllowed) {
                try await coins.purchase()
            }
            await #expect(throws: Product.PurchaseError.invalidQuantity) {
                try await coins.purchase(options: [.quantity(11)])
            }
        }
    }

    @Test("a broken signature is an unverified transaction with its reason [H1]")
    func unverified() async throws {
        try await TestSession.with { test in
            try await test.session.perform(
                .failNext(.verification, error: .invalidSignature, count: 1))
            let result = try await product(TestSession.theme).purchase()
            guard case .success(.unverified(let transaction, let error)) = result else {
                return #expect(Bool(false), "\(result)")
            }
            #expect(transaction.productID == TestSession.theme && error == .invalidSignature)
        }
    }

    @Test(
        "a text without a signature, or without a product, is an unverified transaction, too [H1]",
        arguments: [
            (StoreError.Code.invalidEncoding, TestSession.theme), (.missingRequiredProperties, ""),
        ])
    func incomplete(_ code: StoreError.Code, product id: String) async throws {
        try await TestSession.with { test in
            try await test.session.perform(.failNext(.verification, error: code, count: 1))
            let result = try await product(TestSession.theme).purchase()
            guard case .success(.unverified(let transaction, let error)) = result else {
                return #expect(Bool(false), "\(result)")
            }
            let isEncoding = code == .invalidEncoding
            #expect(error == (isEncoding ? .invalidEncoding : .missingRequiredProperties))
            #expect(transaction.productID == id && transaction.productType == .nonConsumable)
        }
    }

    @Test("a history of texts without a signature is read to its end")
    func history() async throws {
        try await TestSession.with { test in
            for _ in 0..<3 { try await test.outside(TestSession.coins) }
            try await test.session.perform(
                .failNext(.verification, error: .invalidEncoding, count: nil))
            let read = try await test.session.history(pageMax: 2) { _ in true }
            #expect(read.count == 3)
            for result in read {
                guard case .unverified(_, .invalidEncoding) = result else {
                    Issue.record("\(result)")
                    continue
                }
            }
        }
    }

    @Test("a signed transaction gives its parts")
    func parts() async throws {
        try await TestSession.with { _ in
            guard case .success(let result) = try await product(TestSession.theme).purchase() else {
                return #expect(Bool(false))
            }
            #expect(result.jwsRepresentation.split(separator: ".").count == 3)
            #expect(result.signatureData.count == 64)
            #expect(result.signature.rawRepresentation == result.signatureData)
            let payload = try JSONSerialization.jsonObject(with: result.payloadData)
            #expect((payload as? [String: Any])?["productId"] as? String == TestSession.theme)
            #expect(
                result.deviceVerificationNonce == result.unsafePayloadValue.deviceVerificationNonce)
        }
    }
}
