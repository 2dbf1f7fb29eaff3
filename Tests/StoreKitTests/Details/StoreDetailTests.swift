import Foundation
import StoreDevice
import StoreHost
import StoreKit
import StoreModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct StoreDetailTests {
    @Test("an intent is told once: at once to a reader, else to the first one that comes")
    func intents() async throws {
        try await DetailSession.with { session in
            var first = PurchaseIntent.intents.makeAsyncIterator()
            try await session.perform(.promote(ProductID(DetailSession.coins), account: "me"))
            let intent = try #require(await first.next())
            #expect(intent.id == DetailSession.coins && intent.offer == nil)
            #expect(intent.product.displayPrice == "$0.99")
            try await session.perform(.promote(ProductID(DetailSession.yearly), account: "me"))
            try await session.perform(.promote(ProductID(DetailSession.coins), account: "me"))
            var second = PurchaseIntent.intents.makeAsyncIterator()
            #expect(await second.next()?.id == DetailSession.yearly)
            #expect(await second.next()?.id == DetailSession.coins)
            // The older reader was there as well, and gets each once.
            #expect(await first.next()?.id == DetailSession.yearly)
            #expect(await first.next()?.id == DetailSession.coins)
            try await session.perform(.promote(ProductID(DetailSession.monthly), account: "me"))
            var third = PurchaseIntent.intents.makeAsyncIterator()
            #expect(await third.next()?.id == DetailSession.monthly)
            #expect(await first.next()?.id == DetailSession.monthly)
        }
    }

    @Test("an intent that was told at once is not told again at the next launch")
    func toldOnce() async throws {
        try await DetailSession.with { session in
            var intents = PurchaseIntent.intents.makeAsyncIterator()
            // The device reads of some before the app is told, and of some after.
            for _ in 0..<20 {
                try await session.perform(.promote(ProductID(DetailSession.coins), account: "me"))
                #expect(await intents.next()?.id == DetailSession.coins)
            }
            let next = try await session.host.device(
                account: session.device.account, name: session.device.device, locale: "en_US")
            try await next.takeInChanges()
            #expect(try await next.promotedPurchases().isEmpty)
            await next.close()
        }
    }

    @Test("a message tells of an asked price increase")
    func messages() async throws {
        try await DetailSession.with { session in
            let bought = TransactionID(try await DetailSession.buy(DetailSession.monthly).id)
            try await session.perform(.priceIncrease(bought, .ask))
            var messages = Message.messages.makeAsyncIterator()
            #expect(await messages.next()?.reason == .priceIncreaseConsent)
        }
    }

    @Test("a message tells of an offer that would win the customer back")
    func winBack() async throws {
        try await DetailSession.with { session in
            var messages = Message.messages.makeAsyncIterator()
            let bought = TransactionID(try await DetailSession.buy(DetailSession.monthly).id)
            try await session.perform(.clock(.advance(.calendar(.init(unit: .month, value: 2)))))
            try await session.perform(.expire(bought))
            let info = try await DetailSession.status().renewalInfo.payloadValue
            try #require(info.eligibleWinBackOfferIDs == ["back"])
            #expect(await messages.next()?.reason == .winBackOffer)
        }
    }

    @Test("an offer code is redeemed: its sale is an update")
    func code() async throws {
        try await DetailSession.with { _ in
            var updates = Transaction.updates.makeAsyncIterator()
            try await AppStore.presentOfferCodeRedeemSheet(code: "GIFT")
            let update = try #require(await updates.next()).payloadValue
            #expect(update.productID == DetailSession.monthly)
            #expect(update.offer?.type == .code && update.offer?.id == "gift")
            await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
                try await AppStore.presentOfferCodeRedeemSheet(code: "UNKNOWN")
            }
        }
    }

    @Test("a failure of managing subscriptions and of codes is thrown")
    func failures() async throws {
        try await DetailSession.with { session in
            try await AppStore.showManageSubscriptions()
            try await session.perform(
                .failNext(.manageSubscriptions, error: .networkError, count: 1))
            await #expect(throws: StoreKitError.self) {
                try await AppStore.showManageSubscriptions(
                    subscriptionGroupID: DetailSession.group)
            }
            try await session.perform(.failNext(.offerCodeRedeem, error: .unsupported, count: 1))
            let error = await #expect(throws: StoreKitError.self) {
                try await AppStore.presentOfferCodeRedeemSheet(code: "GIFT")
            }
            guard case .unsupported = error else { return #expect(Bool(false), "\(error as Any)") }
        }
    }

    @Test("the storefront's updates have changes of the territory only")
    func storefronts() async throws {
        try await DetailSession.with { session in
            var updates = StoreKit.Storefront.updates.makeAsyncIterator()
            let changes = [
                AccountChange(account: "me", askToBuy: true),
                AccountChange(account: "me", territory: "JPN"),
                AccountChange(account: "me", askToBuy: false),
                AccountChange(account: "me", territory: "DEU"),
            ]
            for change in changes { try await session.perform(.changeAccount(change)) }
            let first = try #require(await updates.next())
            #expect(first.countryCode == "JPN" && first.currency?.identifier == "JPY")
            #expect(await updates.next()?.countryCode == "DEU")
            // A reader that comes later does not take a further change of another setting for one.
            var later = StoreKit.Storefront.updates.makeAsyncIterator()
            try await session.perform(.changeAccount(AccountChange(account: "me", askToBuy: true)))
            try await session.perform(
                .changeAccount(AccountChange(account: "me", territory: "FRA")))
            #expect(await later.next()?.countryCode == "FRA")
        }
    }

    @Test("the app transaction names the platform, and the store rates no app")
    func app() async throws {
        try await DetailSession.with { _ in
            let app = try await AppTransaction.shared.payloadValue
            #expect(app.originalPlatform.rawValue == "Linux" && app.environment == .xcode)
            #expect(await AppStore.ageRatingCode == nil)
            #expect(AppStore.canMakePayments && AppStore.deviceVerificationID != nil)
        }
    }

    @Test("what needs Apple's permission answers that it cannot be had [H5]")
    func unavailable() async throws {
        #expect(await ExternalPurchase.canPresent == false)
        #expect(await ExternalPurchaseLink.canOpen == false)
        #expect(await ExternalPurchaseLink.eligibleURLs == nil)
        #expect(await ExternalPurchaseCustomLink.isEligible == false)
        #expect(await ExternalLinkAccount.canOpen == false)
        #expect(try await ExternalPurchaseCustomLink.token(for: "ACQUISITION") == nil)
        let link = URL(filePath: "/shop")
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await ExternalPurchase.presentNoticeSheet() },
            { try await ExternalPurchaseLink.open() },
            { try await ExternalPurchaseLink.open(url: link) },
            { _ = try await ExternalPurchaseCustomLink.showNotice(type: .browser) },
            { try await ExternalLinkAccount.open() },
            { _ = try await AdvancedCommerceProduct(id: DetailSession.coins) },
        ]
        for call in calls {
            let error = await #expect(throws: StoreKitError.self) { try await call() }
            guard case .unsupported = error else { return #expect(Bool(false), "\(error as Any)") }
        }
        await #expect(throws: PaymentMethodBinding.PaymentMethodBindingError.notEligible) {
            try await PaymentMethodBinding(id: "pin")
        }
    }
}
