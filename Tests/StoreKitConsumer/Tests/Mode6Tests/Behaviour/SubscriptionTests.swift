import StoreKitTest
import Testing

@Suite(.storeKit(Shop.configuration), .timeLimit(.minutes(1))) struct SubscriptionTests {
    @Test("a subscriber has a status with verified transaction and renewal info [H1]")
    func status() async throws {
        let bought = try await Shop.buy(Shop.yearly)
        #expect(bought.offer?.type == .introductory && bought.price == 0)
        let status = try #require(await bought.subscriptionStatus)
        #expect(status.state == .subscribed)
        #expect(try status.transaction.payloadValue == bought)
        let info = try status.renewalInfo.payloadValue
        #expect(info.willAutoRenew && info.autoRenewPreference == Shop.yearly)
        #expect(info.currentProductID == Shop.yearly && info.originalTransactionID == bought.id)
        #expect(info.renewalDate == bought.expirationDate)
        #expect(info.renewalPrice == Decimal(string: "59.99"))
        #expect(info.expirationReason == nil && info.priceIncreaseStatus == .noIncreasePending)
        #expect(await !SubscriptionInfo.isEligibleForIntroOffer(for: Shop.group))
        let plan = try #require(try await Shop.product(Shop.monthly).subscription)
        // Signed anew each time, so only what they say is the same.
        #expect(try await plan.status.map(\.transaction) == [status.transaction])
        let found = try await SubscriptionInfo.status(transactionID: bought.id)
        #expect(found?.state == .subscribed && found?.transaction == status.transaction)
        var groups: [String] = []
        for await (group, statuses) in SubscriptionStatus.all {
            groups.append(group)
            #expect(statuses.map(\.transaction) == [status.transaction])
        }
        #expect(groups == [Shop.group])
    }

    @Test("a year of a subscription is a test of milliseconds")
    func year() async throws {
        let session = try currentSession()
        try session.clock.stop()
        let bought = try await Shop.buy(Shop.monthly)
        var updates = Transaction.updates.makeAsyncIterator()
        try session.clock.advance(byAdding: .year, value: 1)
        var last = try #require(bought.expirationDate)
        for _ in 1...12 {
            let renewal = try #require(await updates.next()).payloadValue
            #expect(renewal.originalID == bought.id && renewal.reason == .renewal)
            #expect(renewal.purchaseDate == last)
            last = try #require(renewal.expirationDate)
        }
        #expect(last > session.clock.now)
        #expect(try await Shop.list(Transaction.all(for: Shop.monthly)).count == 13)
        #expect(try await Shop.list(Transaction.currentEntitlements) == [Shop.monthly])
    }

    @Test("the clock stops, moves to the next event, and never goes back")
    func clock() async throws {
        let session = try currentSession()
        #expect(!session.clock.isStopped && session.clock.nextEvent == nil)
        try session.clock.stop()
        let begin = session.clock.now
        let bought = try await Shop.buy(Shop.monthly)
        #expect(bought.purchaseDate == begin)
        let next = try #require(session.clock.nextEvent)
        // A renewal is charged ahead of the period that it pays.
        let end = try #require(bought.expirationDate)
        #expect(next > begin && next <= end)
        #expect(try session.clock.advanceToNextEvent() == next)
        #expect(session.allTransactions().count == 2)
        #expect(throws: SKTestError.self) { try session.clock.advance(to: begin) }
        try session.clock.resume()
        #expect(!session.clock.isStopped)
    }

    @Test("a rate shortens every period")
    func timeRate() async throws {
        let session = try currentSession()
        try session.clock.stop()
        session.timeRate = .oneRenewalEveryTwoSeconds
        #expect(session.timeRate == .oneRenewalEveryTwoSeconds)
        let bought = try await Shop.buy(Shop.monthly)
        #expect(bought.expirationDate == bought.purchaseDate.addingTimeInterval(2))
        try session.clock.advance(byAdding: .second, value: 4)
        #expect(session.allTransactions().count == 3)
    }

    @Test("a renewal is forced, and a subscription is expired, by the test")
    func forced() async throws {
        let session = try currentSession()
        let bought = try await Shop.buy(Shop.monthly)
        try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
        let renewed = try #require(await Transaction.latest(for: Shop.monthly)).payloadValue
        #expect(renewed.originalID == bought.id && renewed.reason == .renewal)
        try session.expireSubscription(productIdentifier: Shop.monthly)
        #expect(try await Shop.status().state == .expired)
        #expect(try await Shop.list(Transaction.currentEntitlements) == [])
        #expect(throws: SKTestError.self) {
            try session.expireSubscription(productIdentifier: Shop.monthly)
        }
    }

    @Test("a subscription that the customer has left ends with its period, with the reason")
    func autoRenewOff() async throws {
        let session = try currentSession()
        try session.clock.stop()
        let id = UInt(try await Shop.buy(Shop.monthly).id)
        var statuses = SubscriptionStatus.updates.makeAsyncIterator()
        try session.disableAutoRenewForTransaction(identifier: id)
        #expect(try await statuses.next()?.renewalInfo.payloadValue.willAutoRenew == false)
        #expect(try await Shop.status().state == .subscribed)
        #expect(try await Shop.renewalInfo().autoRenewPreference == nil)
        try session.enableAutoRenewForTransaction(identifier: id)
        #expect(try await Shop.renewalInfo().willAutoRenew)
        try session.disableAutoRenewForTransaction(identifier: id)
        try session.clock.advance(byAdding: .month, value: 1)
        #expect(try await Shop.status().state == .expired)
        #expect(try await Shop.renewalInfo().expirationReason == .autoRenewDisabled)
    }

    @Test("an upgrade is at once; a downgrade waits for the renewal")
    func changes() async throws {
        let session = try currentSession()
        try session.clock.stop()
        let monthly = try await Shop.buy(Shop.monthly)
        let yearly = try await Shop.buy(Shop.yearly)
        #expect(yearly.originalID == monthly.id)
        let upgraded = try #require(await Transaction.latest(for: Shop.monthly)).payloadValue
        #expect(upgraded.isUpgraded)
        #expect(try await Shop.list(Transaction.currentEntitlements) == [Shop.yearly])
        guard case .success = try await Shop.product(Shop.monthly).purchase() else {
            throw Shop.Failure(text: "not changed")
        }
        let info = try await Shop.renewalInfo()
        #expect(info.currentProductID == Shop.yearly && info.autoRenewPreference == Shop.monthly)
        try session.clock.advance(to: try #require(yearly.expirationDate))
        #expect(try await Shop.renewalInfo().currentProductID == Shop.monthly)
    }

    @Test("a renewal that is not paid: grace with access, retry without, then recovered")
    func billing() async throws {
        let session = try currentSession()
        try session.clock.stop()
        session.shouldEnterBillingRetryOnRenewal = true
        session.billingGracePeriodIsEnabled = true
        let bought = try await Shop.buy(Shop.monthly)
        try session.clock.advance(byAdding: .month, value: 1)
        #expect(try await Shop.status().state == .inGracePeriod)
        let info = try await Shop.renewalInfo()
        #expect(info.isInBillingRetry)
        #expect(try #require(info.gracePeriodExpirationDate) > session.clock.now)
        #expect(try await Shop.list(Transaction.currentEntitlements) == [Shop.monthly])
        var messages = Message.messages.makeAsyncIterator()
        #expect(await messages.next()?.reason == .billingIssue)
        try session.clock.advance(byAdding: .day, value: 17)
        #expect(try await Shop.status().state == .inBillingRetryPeriod)
        #expect(try await Shop.list(Transaction.currentEntitlements) == [])
        try session.resolveIssueForTransaction(identifier: UInt(bought.id))
        #expect(try await Shop.status().state == .subscribed)
        #expect(try await Shop.list(Transaction.currentEntitlements) == [Shop.monthly])
    }

    @Test("a higher price is asked for, and the customer consents")
    func consent() async throws {
        let session = try currentSession()
        let id = UInt(try await Shop.buy(Shop.monthly).id)
        try session.requestPriceIncreaseConsentForTransaction(identifier: id)
        #expect(try await Shop.renewalInfo().priceIncreaseStatus == .pending)
        #expect(session.allTransactions().first?.isPendingPriceIncreaseConsent == true)
        var messages = Message.messages.makeAsyncIterator()
        #expect(await messages.next()?.reason == .priceIncreaseConsent)
        try session.consentToPriceIncreaseForTransaction(identifier: id)
        #expect(try await Shop.renewalInfo().priceIncreaseStatus == .agreed)
        #expect(try await Shop.renewalInfo().willAutoRenew)
    }

    @Test("a higher price is asked for, and the customer declines: the subscription ends")
    func decline() async throws {
        let session = try currentSession()
        try session.clock.stop()
        let id = UInt(try await Shop.buy(Shop.monthly).id)
        try session.requestPriceIncreaseConsentForTransaction(identifier: id)
        try session.declinePriceIncreaseForTransaction(identifier: id)
        #expect(try await !Shop.renewalInfo().willAutoRenew)
        try session.clock.advance(byAdding: .month, value: 2)
        #expect(try await Shop.status().state == .expired)
        let reason = try await Shop.renewalInfo().expirationReason
        #expect(reason == .didNotConsentToPriceIncrease)
    }

    @Test("a former subscriber is won back by an offer")
    func winBack() async throws {
        let session = try currentSession()
        try session.clock.stop()
        let first = try await Shop.buy(Shop.monthly)
        try session.disableAutoRenewForTransaction(identifier: UInt(first.id))
        try session.clock.advance(byAdding: .month, value: 3)
        #expect(try await Shop.renewalInfo().eligibleWinBackOfferIDs == ["back"])
        let plan = try #require(try await Shop.product(Shop.monthly).subscription)
        let back = try #require(plan.winBackOffers.first)
        let bought = try await Shop.buy(Shop.monthly, [.winBackOffer(back)])
        #expect(bought.offer?.type == .winBack && bought.offer?.paymentMode == .payUpFront)
        #expect(bought.price == Decimal(string: "7.99"))
        #expect(try await Shop.status().state == .subscribed)
    }

    @Test("a year is paid in twelve payments")
    func commitment() async throws {
        let bought = try await Shop.buy(Shop.yearly, [.billingPlanType(.monthly)])
        #expect(bought.billingPlanType == .monthly && bought.price == Decimal(string: "5.99"))
        let commitment = try #require(bought.commitmentInfo)
        #expect(commitment.billingPeriodNumber == 1 && commitment.totalBillingPeriods == 12)
        let info = try await Shop.renewalInfo()
        #expect(info.renewalBillingPlanType == .monthly)
        #expect(info.commitmentInfo?.renewalDate == commitment.expirationDate)
    }

    @Test("a code is redeemed outside the app's own buttons, and is an update")
    func code() async throws {
        var updates = Transaction.updates.makeAsyncIterator()
        try await AppStore.presentOfferCodeRedeemSheet(code: "GIFT")
        let update = try #require(await updates.next()).payloadValue
        #expect(update.productID == Shop.monthly && update.offer?.id == "gift")
    }

    @Test("a refunded subscription is revoked")
    func refunded() async throws {
        let session = try currentSession()
        let bought = try await Shop.buy(Shop.monthly)
        try session.refundTransaction(identifier: UInt(bought.id))
        #expect(try await Shop.status().state == .revoked)
        #expect(try await Shop.list(Transaction.currentEntitlements) == [])
    }
}
