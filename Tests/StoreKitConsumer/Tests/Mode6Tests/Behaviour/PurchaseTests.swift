import StoreKitTest
import Testing

@Suite(.storeKit(Shop.configuration), .timeLimit(.minutes(1))) struct PurchaseTests {
    @Test(
        "a purchase is verified, in every list when it returns, and unfinished until it is finished"
    )
    func finished() async throws {
        let session = try currentSession()
        let theme = try await Shop.product(Shop.theme)
        guard case .success(let verification) = try await theme.purchase() else {
            throw Shop.Failure(text: "not sold")
        }
        let transaction = try VerificationAPI.checkVerified(verification)
        #expect(transaction.productID == Shop.theme && transaction.productType == .nonConsumable)
        #expect(transaction.reason == .purchase && transaction.ownershipType == .purchased)
        #expect(transaction.price == theme.price && transaction.currency?.identifier == "USD")
        #expect(transaction.environment == .xcode && transaction.storefront.countryCode == "USA")
        #expect(transaction.id == transaction.originalID && transaction.revocationDate == nil)
        #expect(await theme.latestTransaction == verification)
        #expect(try await Shop.list(Transaction.unfinished) == [Shop.theme])
        #expect(try await Shop.list(Transaction.currentEntitlements) == [Shop.theme])
        #expect(try await Shop.list(theme.currentEntitlements) == [Shop.theme])
        let inSession = try #require(session.allTransactions().first)
        #expect(inSession.identifier == UInt(transaction.id) && inSession.state == .purchased)
        await transaction.finish()
        await transaction.finish()
        #expect(try await Shop.list(Transaction.unfinished) == [])
        #expect(try await Shop.list(Transaction.currentEntitlements) == [Shop.theme])
    }

    @Test("a consumable is in the history until it is finished, and entitles to nothing")
    func consumable() async throws {
        let token = UUID()
        let coins = try await Shop.buy(Shop.coins, [.quantity(3), .appAccountToken(token)])
        #expect(coins.purchasedQuantity == 3 && coins.appAccountToken == token)
        #expect(coins.price == Decimal(string: "2.97"))
        #expect(try await Shop.list(Transaction.currentEntitlements) == [])
        #expect(try await Shop.list(Transaction.all) == [Shop.coins])
        await coins.finish()
        #expect(try await Shop.list(Transaction.all) == [])
        #expect(try await Transaction.latest(for: Shop.coins)?.payloadValue.id == coins.id)
        #expect(await Transaction.latest(for: Shop.theme) == nil)
    }

    @Test("a pass whose end the app decides stays an entitlement")
    func nonRenewing() async throws {
        let pass = try await Shop.buy(Shop.pass)
        #expect(pass.expirationDate == nil && pass.subscriptionGroupID == nil)
        #expect(await pass.subscriptionStatus == nil)
        #expect(try await Shop.list(Transaction.currentEntitlements(for: Shop.pass)) == [Shop.pass])
    }

    @Test("the updates have what the app has not been told: no purchase that it has made")
    func updates() async throws {
        let session = try currentSession()
        var updates = Transaction.updates.makeAsyncIterator()
        let theme = try await Shop.buy(Shop.theme)
        let outside = try await session.buyProduct(identifier: Shop.coins)
        #expect(try await updates.next()?.payloadValue.id == outside.id)
        try session.refundTransaction(identifier: UInt(theme.id))
        let refunded = try #require(await updates.next()).payloadValue
        #expect(refunded.id == theme.id && refunded.revocationDate != nil)
        #expect(refunded.revocationReason == .other && refunded.revocationType == .fullRefund)
    }

    @Test("a listener that begins later first gets what is unfinished")
    func laterListener() async throws {
        let outside = try await currentSession().buyProduct(identifier: Shop.theme)
        var updates = Transaction.updates.makeAsyncIterator()
        #expect(try await updates.next()?.payloadValue.id == outside.id)
    }

    @Test("Ask to Buy: pending, then an update when it is approved")
    func approved() async throws {
        let session = try currentSession()
        session.askToBuyEnabled = true
        var updates = Transaction.updates.makeAsyncIterator()
        #expect(try await Shop.isPending(Shop.theme))
        #expect(try await Shop.list(Transaction.all) == [])
        let waiting = try #require(session.allTransactions().first)
        #expect(waiting.pendingAskToBuyConfirmation && waiting.state == .deferred)
        try session.approveAskToBuyTransaction(identifier: waiting.identifier)
        #expect(try await Shop.list(Transaction.currentEntitlements) == [Shop.theme])
        #expect(try await updates.next()?.payloadValue.productID == Shop.theme)
    }

    @Test("Ask to Buy: a declined purchase leaves nothing")
    func declined() async throws {
        let session = try currentSession()
        let result = try await Shop.product(Shop.theme)
            .purchase(options: [.simulatesAskToBuyInSandbox(true)])
        #expect(ProductAPI.results(result) == "pending")
        #expect(!session.askToBuyEnabled, "it was for one purchase")
        let waiting = try #require(session.allTransactions().first)
        try session.declineAskToBuyTransaction(identifier: waiting.identifier)
        #expect(session.allTransactions().isEmpty)
        #expect(throws: SKTestError.self) {
            try session.approveAskToBuyTransaction(identifier: waiting.identifier)
        }
    }

    @Test("an interrupted purchase is pending until the issue is resolved")
    func interrupted() async throws {
        let session = try currentSession()
        session.interruptedPurchasesEnabled = true
        #expect(try await Shop.isPending(Shop.theme))
        let waiting = try #require(session.allTransactions().first)
        #expect(waiting.hasPurchaseIssue)
        session.interruptedPurchasesEnabled = false
        var updates = Transaction.updates.makeAsyncIterator()
        try session.resolveIssueForTransaction(identifier: waiting.identifier)
        #expect(try await updates.next()?.payloadValue.productID == Shop.theme)
        #expect(session.allTransactions().first?.hasPurchaseIssue == false)
    }

    @Test("a purchase is refused as StoreKit refuses it")
    func refused() async throws {
        let coins = try await Shop.product(Shop.coins)
        await #expect(throws: Product.PurchaseError.invalidQuantity) {
            try await coins.purchase(options: [.quantity(11)])
        }
        let monthly = try await Shop.product(Shop.monthly)
        // Promotional offers are for present and former subscribers.
        await #expect(throws: Product.PurchaseError.ineligibleForOffer) {
            try await monthly.purchase(
                options: Set(Product.PurchaseOption.promotionalOffer("half", compactJWS: "a.b.c")))
        }
        try await Shop.buy(Shop.monthly)
        try currentSession().expireSubscription(productIdentifier: Shop.monthly)
        await #expect(throws: Product.PurchaseError.invalidOfferSignature) {
            try await monthly.purchase(
                options: Set(Product.PurchaseOption.promotionalOffer("half", compactJWS: "a.b.c")))
        }
        await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
            try await monthly.purchase(
                options: Set(Product.PurchaseOption.promotionalOffer("none", compactJWS: "a.b.c")))
        }
    }

    @Test("the app is asked if the territory has changed since the product was loaded")
    func otherTerritory() async throws {
        let session = try currentSession()
        let coins = try await Shop.product(Shop.coins)
        session.storefront = "DEU"
        let stopped = try await coins.purchase(
            options: [.onStorefrontChange { storefront in storefront.countryCode != "DEU" }])
        #expect(ProductAPI.results(stopped) == "cancelled")
        #expect(session.allTransactions().isEmpty)
        let sold = try await coins.purchase(options: [.onStorefrontChange { _ in true }])
        guard case .success(let result) = sold else { throw Shop.Failure(text: "\(sold)") }
        #expect(try result.payloadValue.storefront.countryCode == "DEU")
    }

    @Test("a purchase outside the app takes a date in the past, a code, and offers")
    func outside() async throws {
        let session = try currentSession()
        let then = Date(timeIntervalSinceNow: -100 * 86_400)
        let past = try await session.buyProduct(
            identifier: Shop.monthly, options: [.purchaseDate(then)])
        #expect(abs(past.purchaseDate.timeIntervalSince(then)) < 1)
        #expect(session.allTransactions().count == 4, "it has renewed since")
        session.clearTransactions()
        try await session.buyProduct(
            identifier: Shop.monthly,
            options: [.purchaseDate(then, renewalBehavior: .cancelImmediately)])
        #expect(session.allTransactions().count == 1)
        #expect(try await Shop.status().state == .expired)
        let half = try await session.buyProduct(
            identifier: Shop.monthly, options: [.promotionalOffer(id: "half")])
        #expect(half.offer?.type == .promotional && half.offer?.id == "half")
        #expect(half.offer?.paymentMode == .payAsYouGo && half.price == Decimal(string: "2.49"))
        session.clearTransactions()
        let gift = try await session.buyProduct(
            identifier: Shop.monthly, options: [.codeOffer(referenceName: "gift")])
        #expect(gift.offer?.type == .code && gift.price == 0)
    }

    @Test("a refund is requested by the app, and is given at once in a test")
    func refund() async throws {
        let session = try currentSession()
        let theme = try await Shop.buy(Shop.theme)
        #expect(try await theme.beginRefundRequest() == .success)
        await #expect(throws: Transaction.RefundRequestError.duplicateRequest) {
            try await Transaction.beginRefundRequest(for: theme.id)
        }
        #expect(try await Shop.list(Transaction.currentEntitlements) == [])
        #expect(session.allTransactions().first?.cancelDate != nil)
    }

    @Test("deleted and cleared transactions are gone, and everything is sold again")
    func cleared() async throws {
        let session = try currentSession()
        let theme = try await Shop.buy(Shop.theme)
        #expect(try await Shop.buy(Shop.yearly).offer?.type == .introductory)
        try session.deleteTransaction(identifier: UInt(theme.id))
        #expect(try await Shop.list(Transaction.all) == [Shop.yearly])
        session.clearTransactions()
        #expect(session.allTransactions().isEmpty)
        #expect(try await Shop.list(Transaction.currentEntitlements) == [])
        #expect(try await Shop.buy(Shop.yearly).offer?.type == .introductory)
    }
}
