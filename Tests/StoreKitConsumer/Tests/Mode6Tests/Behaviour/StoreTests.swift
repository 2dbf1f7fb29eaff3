import StoreKitTest
import Testing

@Suite(.storeKit(Shop.configuration), .timeLimit(.minutes(1))) struct StoreTests {
    @Test("settings are read back, and return to the configuration's")
    func settings() throws {
        let session = try currentSession()
        #expect(session.storefront == "USA" && session.locale.identifier == "en_US")
        session.storefront = "JPN"
        session.locale = Locale(identifier: "ja")
        session.disableDialogs = true
        session.askToBuyEnabled = true
        session.interruptedPurchasesEnabled = true
        session.shouldEnterBillingRetryOnRenewal = true
        session.billingGracePeriodIsEnabled = true
        session.timeRate = .monthlyRenewalEveryHour
        #expect(session.storefront == "JPN" && session.locale.identifier == "ja")
        #expect(session.disableDialogs && session.askToBuyEnabled)
        #expect(session.interruptedPurchasesEnabled && session.shouldEnterBillingRetryOnRenewal)
        #expect(session.billingGracePeriodIsEnabled)
        #expect(session.timeRate == .monthlyRenewalEveryHour)
        session.resetToDefaultState()
        #expect(session.storefront == "USA" && session.locale.identifier == "en_US")
        #expect(!session.disableDialogs && !session.askToBuyEnabled)
        #expect(!session.interruptedPurchasesEnabled && !session.shouldEnterBillingRetryOnRenewal)
        #expect(!session.billingGracePeriodIsEnabled && session.timeRate == .realTime)
    }

    @Test("the storefront changes with the account, and is told once")
    func storefront() async throws {
        let session = try currentSession()
        let before = try #require(await Storefront.current)
        #expect(before.countryCode == "USA" && before.currency?.identifier == "USD")
        var updates = Storefront.updates.makeAsyncIterator()
        session.disableDialogs = true
        session.storefront = "JPN"
        let after = try #require(await updates.next())
        #expect(after.countryCode == "JPN" && after != before)
        #expect(await Storefront.current == after)
        #expect(try await Shop.product(Shop.coins).priceFormatStyle.currencyCode == "JPY")
    }

    @Test("the app transaction is signed for this app, and refreshed on demand")
    func appTransaction() async throws {
        let app = try await AppTransaction.shared.payloadValue
        let bought = try await Shop.buy(Shop.coins)
        #expect(app.environment == .xcode && app.bundleID == bought.appBundleID)
        #expect(app.appTransactionID == bought.appTransactionID)
        let refreshed = try await AppTransaction.refresh().payloadValue
        #expect(refreshed.appTransactionID == app.appTransactionID)
        #expect(refreshed.originalPurchaseDate == app.originalPurchaseDate)
    }

    @Test("a restore succeeds, and the account may pay")
    func sync() async throws {
        try await Shop.buy(Shop.theme).finish()
        try await AppStore.sync()
        #expect(try await Shop.list(Transaction.currentEntitlements) == [Shop.theme])
        #expect(AppStore.canMakePayments)
    }

    @Test("what needs Apple's permission says that it cannot be had")
    func unavailable() async throws {
        #expect(await !ExternalPurchase.canPresent)
        await #expect(throws: StoreKitError.unsupported) {
            try await ExternalPurchase.presentNoticeSheet()
        }
        await #expect(throws: StoreKitError.unsupported) {
            try await AdvancedCommerceProduct(id: "generic")
        }
        await #expect(throws: PaymentMethodBinding.PaymentMethodBindingError.notEligible) {
            try await PaymentMethodBinding(id: "pin")
        }
    }
}
