import Foundation
import StoreKitTest
import Testing

@Suite(.timeLimit(.minutes(5))) struct SessionPurchaseTests {
    typealias Fixture = SessionFixture

    @Test("settings are read back, and return to the configuration's")
    func settings() async throws {
        try await Fixture.with { session in
            #expect(session.storefront == "USA" && session.locale.identifier == "en_US")
            #expect(!session.disableDialogs && session.timeRate == .realTime)
            session.storefront = "JPN"
            session.locale = Locale(identifier: "ja")
            session.disableDialogs = true
            session.askToBuyEnabled = true
            session.interruptedPurchasesEnabled = true
            session.shouldEnterBillingRetryOnRenewal = true
            session.billingGracePeriodIsEnabled = true
            session.timeRate = .oneRenewalEveryTwoSeconds
            #expect(session.storefront == "JPN" && session.disableDialogs)
            #expect(session.askToBuyEnabled && session.interruptedPurchasesEnabled)
            #expect(session.shouldEnterBillingRetryOnRenewal)
            #expect(session.billingGracePeriodIsEnabled)
            #expect(session.timeRate == .oneRenewalEveryTwoSeconds)
            #expect(await Storefront.current?.countryCode == "JPN")
            let name = try await Fixture.product(Fixture.coins).displayName
            #expect(name == "コイン")
            session.storefront = "Nowhere"
            #expect(session.storefront == "JPN")
            session.resetToDefaultState()
            #expect(session.storefront == "USA" && session.locale.identifier == "en_US")
            #expect(!session.disableDialogs && !session.askToBuyEnabled)
            #expect(!session.interruptedPurchasesEnabled)
            #expect(!session.shouldEnterBillingRetryOnRenewal)
            #expect(!session.billingGracePeriodIsEnabled && session.timeRate == .realTime)
        }
    }

    @Test("an approved purchase is visible when approving returns")
    func approve() async throws {
        try await Fixture.with { session in
            session.askToBuyEnabled = true
            var updates = Transaction.updates.makeAsyncIterator()
            #expect(try await Fixture.isPending(Fixture.theme))
            let waiting = try #require(session.allTransactions().first)
            #expect(waiting.pendingAskToBuyConfirmation && waiting.state == .deferred)
            #expect(waiting.productIdentifier == Fixture.theme && !waiting.hasPurchaseIssue)
            #expect(await Fixture.list(Transaction.currentEntitlements) == [])
            try session.approveAskToBuyTransaction(identifier: waiting.identifier)
            #expect(await Fixture.list(Transaction.currentEntitlements) == [Fixture.theme])
            let update = try #require(await updates.next()).payloadValue
            #expect(UInt(update.id) == waiting.identifier)
            let bought = try #require(session.allTransactions().first)
            #expect(bought.state == .purchased && !bought.pendingAskToBuyConfirmation)
        }
    }

    @Test("a declined purchase leaves nothing")
    func decline() async throws {
        try await Fixture.with { session in
            session.askToBuyEnabled = true
            #expect(try await Fixture.isPending(Fixture.theme))
            let waiting = try #require(session.allTransactions().first)
            try session.declineAskToBuyTransaction(identifier: waiting.identifier)
            #expect(session.allTransactions().isEmpty)
            #expect(await Fixture.list(Transaction.all) == [])
            #expect(throws: SKTestError.self) {
                try session.approveAskToBuyTransaction(identifier: waiting.identifier)
            }
        }
    }

    @Test("an interrupted purchase is sold when its issue is resolved")
    func interrupted() async throws {
        try await Fixture.with { session in
            session.interruptedPurchasesEnabled = true
            #expect(try await Fixture.isPending(Fixture.theme))
            let waiting = try #require(session.allTransactions().first)
            #expect(waiting.hasPurchaseIssue && waiting.state == .failed)
            try session.resolveIssueForTransaction(identifier: waiting.identifier)
            #expect(await Fixture.list(Transaction.currentEntitlements) == [Fixture.theme])
            #expect(session.allTransactions().first?.hasPurchaseIssue == false)
        }
    }

    @Test("a purchase outside the app takes quantity and token, and is an update [H3]")
    func outside() async throws {
        try await Fixture.with { session in
            var updates = Transaction.updates.makeAsyncIterator()
            let token = UUID()
            let bought = try await session.buyProduct(
                identifier: Fixture.coins, options: [.quantity(3), .appAccountToken(token)])
            #expect(bought.purchasedQuantity == 3 && bought.appAccountToken == token)
            #expect(try await updates.next()?.payloadValue.id == bought.id)
            #expect(await Fixture.list(Transaction.unfinished) == [Fixture.coins])
            let theme = try await session.buyProduct(identifier: Fixture.theme)
            let again = try await session.buyProduct(identifier: Fixture.theme)
            #expect(theme.id == again.id && session.allTransactions().count == 2)
            await #expect(throws: Product.PurchaseError.productUnavailable) {
                try await session.buyProduct(identifier: "test.unknown")
            }
        }
    }

    @Test("an option that a purchase outside the app cannot take is refused")
    func refusedOptions() async throws {
        try await Fixture.with { session in
            let options: [Product.PurchaseOption] = [
                .billingPlanType(.monthly), .introductoryOfferEligibility(compactJWS: "a.b.c"),
            ]
            for option in options {
                let error = await #expect(throws: SKTestError.self) {
                    try await session.buyProduct(identifier: Fixture.monthly, options: [option])
                }
                #expect(error?.code == .invalidAction)
            }
            #expect(session.allTransactions().isEmpty)
        }
    }

    @Test("a purchase outside the app takes offers without a signature or a code")
    func offers() async throws {
        try await Fixture.with { session in
            let coded = try await session.buyProduct(
                identifier: Fixture.monthly, options: [.codeOffer(referenceName: "Spring")])
            #expect(coded.offer?.type == .code && coded.offer?.id == "Spring")
            try session.expireSubscription(productIdentifier: Fixture.monthly)
            let half = try await session.buyProduct(
                identifier: Fixture.monthly, options: [.promotionalOffer(id: "half")])
            #expect(half.offer?.type == .promotional && half.price == Decimal(string: "2.49"))
            await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
                try session.expireSubscription(productIdentifier: Fixture.monthly)
                try await session.buyProduct(
                    identifier: Fixture.monthly, options: [.promotionalOffer(id: "none")])
            }
        }
    }

    @Test("a purchase that is dated back has renewed since, or has one period")
    func past() async throws {
        try await Fixture.with { session in
            let day: TimeInterval = 86_400
            let then = Date(timeIntervalSinceNow: -100 * day)
            let renewing = try await session.buyProduct(
                identifier: Fixture.monthly, options: [.purchaseDate(then)])
            #expect(abs(renewing.purchaseDate.timeIntervalSince(then)) < 1)
            #expect(session.allTransactions().count == 4)
            #expect(try await Fixture.state() == .subscribed)
            session.clearTransactions()
            let single = try await session.buyProduct(
                identifier: Fixture.monthly,
                options: [.purchaseDate(then, renewalBehavior: .cancelImmediately)])
            #expect(session.allTransactions().map(\.identifier) == [UInt(single.id)])
            #expect(try await Fixture.state() == .expired)
            session.clearTransactions()
            try await session.buyProduct(
                identifier: Fixture.monthly,
                options: [
                    .purchaseDate(
                        Date(timeIntervalSinceNow: -day), renewalBehavior: .cancelImmediately)
                ])
            #expect(session.allTransactions().first?.autoRenewingEnabled == false)
            #expect(try await Fixture.state() == .subscribed)
        }
    }

    @Test("a refund takes the entitlement, and is an update [H3]")
    func refund() async throws {
        try await Fixture.with { session in
            var updates = Transaction.updates.makeAsyncIterator()
            let theme = try await Fixture.buy(Fixture.theme)
            try session.refundTransaction(identifier: UInt(theme.id))
            #expect(await Fixture.list(Transaction.currentEntitlements) == [])
            #expect(try await updates.next()?.payloadValue.revocationDate != nil)
            #expect(session.allTransactions().first?.cancelDate != nil)
            #expect(throws: SKTestError.self) {
                try session.refundTransaction(identifier: UInt(theme.id))
            }
        }
    }

    @Test("deleted transactions are gone, in any order")
    func delete() async throws {
        try await Fixture.with { session in
            try await Fixture.buy(Fixture.coins)
            try await Fixture.buy(Fixture.monthly)
            try session.forceRenewalOfSubscription(productIdentifier: Fixture.monthly)
            session.askToBuyEnabled = true
            #expect(try await Fixture.isPending(Fixture.theme))
            let all = session.allTransactions()
            #expect(
                all.map(\.productIdentifier) == [
                    Fixture.coins, Fixture.monthly, Fixture.monthly, Fixture.theme,
                ])
            for transaction in all {
                try session.deleteTransaction(identifier: transaction.identifier)
            }
            #expect(session.allTransactions().isEmpty)
            #expect(await Fixture.list(Transaction.unfinished) == [])
            #expect(throws: SKTestError.self) { try session.deleteTransaction(identifier: 999) }
        }
    }

    @Test("a cleared session sells everything again, introductory offers too")
    func clear() async throws {
        try await Fixture.with { session in
            #expect(try await Fixture.buy(Fixture.yearly).offer?.type == .introductory)
            try await Fixture.buy(Fixture.theme)
            session.askToBuyEnabled = true
            #expect(try await Fixture.isPending(Fixture.coins))
            session.clearTransactions()
            #expect(session.allTransactions().isEmpty && session.askToBuyEnabled)
            #expect(await Fixture.list(Transaction.all) == [])
            #expect(await Fixture.list(Transaction.currentEntitlements) == [])
            var updates = Transaction.updates.makeAsyncIterator()
            session.askToBuyEnabled = false
            #expect(try await Fixture.buy(Fixture.yearly).offer?.type == .introductory)
            try await session.buyProduct(identifier: Fixture.theme)
            #expect(try await updates.next()?.payloadValue.productID == Fixture.theme)
        }
    }

    @Test("a session without such a product or file says so")
    func errors() async throws {
        try await Fixture.with { session in
            func code(_ call: () throws -> Void) -> SKTestError.Code? {
                do { try call() } catch { return (error as? SKTestError)?.code }
                return nil
            }
            #expect(
                code { try session.expireSubscription(productIdentifier: "test.unknown") }
                    == .invalidProductIdentifier)
            #expect(
                code { try session.expireSubscription(productIdentifier: Fixture.monthly) }
                    == .noSubscriptionFound)
            try await Fixture.buy(Fixture.theme)
            #expect(
                code { try session.forceRenewalOfSubscription(productIdentifier: Fixture.theme) }
                    == .invalidProductType)
            #expect(
                code { try session.refundTransaction(identifier: 4711) } == .noTransactionFound)
            #expect(
                code { _ = try SKTestSession(contentsOf: URL(filePath: "/nowhere.storekit")) }
                    == .fileNotFound)
            #expect(
                code { _ = try SKTestSession(contentsOf: URL(filePath: "/etc/passwd")) }
                    == .invalidURL)
            let broken = try ConfigurationFixture("{ \"version\": ")
            #expect(
                code { _ = try SKTestSession(contentsOf: URL(filePath: broken.path)) }
                    == .invalidURL)
            let error: any Error = try #require(
                #expect(throws: SKTestError.self) {
                    try session.refundTransaction(identifier: 4711)
                })
            #expect((error as NSError).domain == SKTestErrorDomain && (error as NSError).code == 6)
            do { throw error } catch SKTestError.noTransactionFound {} catch {
                Issue.record(error)
            }
        }
    }
}
