import Basics
import ShopText
import StoreModel

/// The texts of a product's status.
extension Strings {
    /// From long to short. Empty for a running download, whose row has a bar.
    func status(_ status: ProductStatus) -> [String] {
        let texts = statusTexts(status)
        let sign =
            switch status {
            case .purchasing, .waitingForAnswer, .planned: glyphs.underWay + " "
            case .failed, .downloadFailed: glyphs.wrong + " "
            case .notDownloaded, .owned, .included, .current, .timed: glyphs.done + " "
            case .plan(let standing): sign(of: standing)
            case .buyable, .downloading, .paused, .ownedElsewhere, .change, .groupTaken:
                ""
            }
        return texts.map { sign + self[$0] }
    }

    private func sign(of standing: PlanStanding) -> String {
        switch standing {
        case .renews, .ends, .changes, .unending: glyphs.done + " "
        case .paymentFails, .grace, .retrying, .notForSale, .priceIncrease: glyphs.wrong + " "
        case .expired, .revoked: ""
        }
    }

    private func standingTexts(_ standing: PlanStanding) -> [ProductText] {
        switch standing {
        case .renews(let day):
            [.yourPlanRenews(day: self.day(day)), .renewsOn(day: self.day(day)), .yourPlan, .yours]
        case .ends(let day):
            [.yourPlanEnds(day: self.day(day)), .endsOn(day: self.day(day)), .yourPlan, .yours]
        case .changes(_, let day):
            [.yourPlanUntil(day: self.day(day)), .untilDay(day: self.day(day)), .yourPlan, .yours]
        case .paymentFails(let day), .grace(let day?):
            [
                .paymentFailsUntil(day: self.day(day)), .unpaidUntil(day: self.day(day)),
                .billingProblem, .unpaid,
            ]
        case .grace(nil): [.billingProblem, .unpaid]
        case .retrying: [.noAccess, .billingProblem, .unpaid]
        case .priceIncrease(let day):
            [.answerPriceBy(day: self.day(day)), .newPrice, .newPriceShort]
        case .notForSale(let day):
            [.cannotRenewEnds(day: self.day(day)), .endsOn(day: self.day(day)), .cannotRenew]
        case .expired(_, let day):
            [.expiredOn(day: day.map { self.day($0) }), .expiredOn(day: nil)]
        case .revoked(let day, true):
            [.refundedOn(day: day.map { self.day($0) }), .refundedOn(day: nil)]
        case .revoked(let day, false):
            [.revokedOn(day: day.map { self.day($0) }), .revokedOn(day: nil)]
        case .unending: [.yourPlan, .yours]
        }
    }

    private func changeTexts(_ change: PlanChange) -> [ProductText] {
        change.isAtOnce
            ? [.changeAtOnce(change.kind), .changeShort(change.kind)]
            : [
                .changeFrom(change.kind, day: day(change.startsAt)),
                .changeShort(change.kind),
            ]
    }

    private func statusTexts(_ status: ProductStatus) -> [ProductText] {
        switch status {
        case .buyable: []
        case .purchasing: [.buying]
        case .waitingForAnswer(_, .askToBuy):
            [.waitingForApproval, .awaitingApproval, .approvalShort, .waiting]
        case .waitingForAnswer(_, .authentication):
            [.waitingForBank, .awaitingBank, .bankShort, .waiting]
        case .waitingForAnswer(_, .interrupted): [.interrupted, .waiting]
        case .failed(let error): failure(error)
        case .downloading: []
        case .paused(let download):
            [.pausedAt(percent: Int(download.progress * 100)), .paused]
        case .downloadFailed(let download):
            download.error.map { downloadProblem($0, isUnderWay: download.isUnderWay) }
                ?? [.ownedDownloadFailed, .downloadFailedShort, .failedShort]
        case .notDownloaded: [.ownedNotDownloaded, .owned]
        case .owned(let isRestored): [isRestored ? .restored : .owned]
        case .ownedElsewhere:
            [
                .ownedElsewhere(key: key(.restore)), .ownedElsewhereShort(key: key(.restore)),
            ]
        case .included(let name, let until?, _):
            [
                .includedUntil(name: name, day: day(until)), .untilDay(day: day(until)), .included,
            ]
        case .included(let name, nil, _): [.includedWith(name: name), .included]
        case .current(nil, _): [.yourPlan, .yours]
        case .plan(let standing): standingTexts(standing)
        case .planned(let from):
            [.nextPlanFrom(day: day(from)), .fromDay(day: day(from))]
        case .change(let change): changeTexts(change)
        case .current(let until?, renews: true): standingTexts(.renews(until))
        case .current(let until?, renews: false), .timed(let until):
            [.yourPlanUntil(day: day(until)), .untilDay(day: day(until)), .owned]
        case .groupTaken(_, nil): [.afterYourPlan, .later]
        case .groupTaken(_, let until?):
            [.afterYourPlanEnds(day: day(until)), .fromDay(day: day(until)), .later]
        }
    }

    /// The cause of a failure in a few words, as "declined, not charged".
    func failureNote(_ error: StoreError) -> String { failure(error).first.map { self[$0] } ?? "" }

    /// In a few words, from long to short; the message row has the sentence.
    private func failure(_ error: StoreError) -> [ProductText] {
        let reason: ProductText =
            switch error.code {
            case .approvalDeclined, .paymentDeclined: .declined
            case .requestWithdrawn: .takenBack
            case .purchaseNotAllowed: .notAllowed
            case .networkError: .noConnection
            case .productUnavailable, .notAvailableInStorefront: .notAvailable
            case .priceChanged: .priceHasChanged
            case .storeFull, .storeBusy, .storeReadOnly, .storeUnreadable, .storeUnreachable,
                .storeReplaced:
                .storeNotReached
            default: .failedShort
            }
        return [.reasonNotCharged(self[reason]), reason, .failedShort]
    }

    /// From long to short; empty if there is none.
    func update(_ product: Product, _ state: ShopState) -> [String] {
        let updates = state.updates(of: product)
        guard let first = updates.first else { return [] }
        let size = Measures.bytes(updates.reduce(0 as Int64) { $0.addingClamped($1.length) })
        return [
            self[.updateAvailable(version: first.offeredVersion, size: size)],
            self[.updateAvailableShort(version: first.offeredVersion)], self[.update],
        ]
    }

    /// Says that the installed version stays until then; nil without a newer version.
    func updateLine(_ product: Product, _ state: ShopState) -> String? {
        let updates = state.updates(of: product)
        return updates.first.map {
            self[
                .updateLine(
                    installed: $0.installedVersion, offered: $0.offeredVersion,
                    size: Measures.bytes(updates.reduce(0 as Int64) { $0.addingClamped($1.length) })
                )]
        }
    }

    /// From long to short; `isUnderWay` is true for one that waits, false for one that has failed.
    private func downloadProblem(_ error: StoreError, isUnderWay: Bool) -> [ProductText] {
        if isUnderWay, error.code == .deviceFull { return [.waitsForYouDiskFull, .diskIsFull] }
        let reason: ProductText? =
            switch error.code {
            case .networkError: .noConnection
            case .deviceFull: .diskIsFull
            case .contentMismatch: .notAsAnnounced
            case .contentUnavailable: .notAvailable
            case .storeFull, .storeBusy, .storeReadOnly, .storeUnreadable, .storeUnreachable,
                .storeReplaced:
                .storeNotReached
            default: nil
            }
        guard let reason else { return [.downloadFailedShort, .failedShort] }
        return [.downloadStoppedBy(self[reason]), reason, .failedShort]
    }

    /// The status in a sentence, for the product's page; nil if the buttons already express it.
    func statusLine(_ status: ProductStatus, of product: Product, _ state: ShopState) -> String? {
        switch status {
        case .buyable, .failed, .change:
            if !state.canMakePayments { return self[.paymentsAreOff] }
        default: break
        }
        switch status {
        case .buyable:
            if state.isClosed(product) { return self[.closedLine] }
            return state.alreadyUnlocked(by: product).map {
                self[.alreadyUnlockedLine(name: $0.displayName)]
            }
        case .downloading: return nil
        case .included(let opener, let until, _):
            return self[.includedLine(name: opener, day: until.map { day($0) })]
        case .failed(let error):
            return message(
                for: error, to: .screen(product: product.displayName, namesConsole: namesConsole)
            ).line
        case .purchasing: return self[.storeIsDeciding]
        case .waitingForAnswer(_, .askToBuy):
            return self[.waitingForApprovalLine(mayUseConsole: state.shop.namesConsole)]
        case .waitingForAnswer(_, .authentication):
            return self[.waitingForBankLine(mayUseConsole: state.shop.namesConsole)]
        case .waitingForAnswer(_, .interrupted): return self[.interruptedLine]
        case .paused: return self[.downloadIsPaused]
        case .downloadFailed(let download):
            return download.error.map { downloadMessage(for: $0).line }
                ?? self[.theDownloadFailed]
        case .notDownloaded: return self[.ownedNotDownloadedLine]
        case .owned(isRestored: true): return self[.ownedAndRestored]
        case .owned(isRestored: false):
            return self[product.hostedContent.isEmpty ? .ownedLine : .ownedAndDownloaded]
        case .ownedElsewhere: return self[.ownedElsewhereLine]
        case .current(let until?, renews: true) where state.sharedBy(product.id) != nil:
            // The family member who shares the plan is charged, so no price is named.
            return self[.sentence(self[.yourPlanRenews(day: day(until))])]
        case .current(let until?, renews: true):
            return self[.renewsLine(day: day(until), price: price(of: product))]
        case .current(let until?, renews: false):
            return product.subscription?.period == nil
                ? self[.yourPlanUntil(day: day(until))]
                : self[.subscriptionEndsLine(day: day(until))]
        case .current(nil, _): return self[PageText.subscriptionNeverEnds]
        case .plan(let standing):
            return state.subscription(of: product.id).map { line(standing, of: $0, state) }
        case .planned(let from):
            let present = state.subscription(inGroupOf: product)?.productID
            return self[
                .plannedLine(
                    name: present.map { state.name(of: $0) } ?? "", day: day(from))]
        case .change(let change): return line(change, state)
        case .timed(let until): return self[.passUntilLine(day: day(until))]
        case .groupTaken(let other, let until):
            let name = state.name(of: other)
            return until.map { self[.otherPlanUntilLine(name: name, day: day($0))] }
                ?? self[.otherPlanLine(name: name)]
        }
    }
}

// MARK: - Subscriptions

extension Strings {
    /// In a sentence, with the step that solves a problem.
    func line(
        _ standing: PlanStanding, of subscription: AccountSubscription, _ state: ShopState
    ) -> String {
        switch standing {
        case .renews(let day):
            guard !subscription.isShared, let price = renewalPrice(of: subscription, state) else {
                // The family member who shares the plan is charged, so no price is named.
                return self[.sentence(self[.yourPlanRenews(day: self.day(day))])]
            }
            return self[.renewsLine(day: self.day(day), price: price)]
        case .ends(let day): return self[.subscriptionEndsLine(day: self.day(day))]
        case .changes(let next, let day):
            return self[
                .changesLine(
                    day: self.day(day), name: state.name(of: next),
                    price: renewalPrice(of: subscription, state))]
        case .paymentFails(let day): return self[.paymentFailsLine(day: self.day(day))]
        case .grace(let day):
            let last = day.map { self.day($0) }
            return self[
                subscription.isShared ? .sharedGraceLine(day: last) : .graceLine(day: last)]
        case .retrying:
            return self[subscription.isShared ? .sharedRetryingLine : .retryingLine]
        case .priceIncrease(let day):
            let price = renewalPrice(of: subscription, state)
            // The store may ask for consent to a price that is no higher, as Xcode's can.
            if let price, let next = subscription.renewalPrice,
                next.currency == subscription.paid.currency,
                next.milliunits <= subscription.paid.milliunits
            {
                return self[.priceConsentLine(day: self.day(day), price: price)]
            }
            return self[.priceIncreaseLine(day: self.day(day), price: price)]
        case .notForSale(let day): return self[.notForSaleLine(day: self.day(day))]
        case .expired(_, let day) where subscription.isAtRenewalLimit:
            return self[.expiredAtLimitLine(day: day.map { self.day($0) })]
        case .expired(let reason, let day):
            return self[.expiredLine(reason, day: day.map { self.day($0) })]
        case .revoked(let day, let isRefunded):
            let day = day.map { self.day($0) }
            return self[isRefunded ? .refundedLine(day: day) : .revokedLine(day: day)]
        case .unending: return self[PageText.subscriptionNeverEnds]
        }
    }

    /// From the store's renewal info; nil if no period follows.
    func renewalPrice(of subscription: AccountSubscription, _ state: ShopState) -> String? {
        subscription.renewalPrice.map {
            price(state.price($0, of: subscription.nextProductID))
        }
    }

    /// In a sentence.
    func line(_ change: PlanChange, _ state: ShopState) -> String {
        let present = state.productList.product(change.productID)
            .flatMap { state.subscription(inGroupOf: $0) }
        return self[
            .changeLine(
                change.kind, from: present.map { state.name(of: $0.productID) } ?? "",
                day: change.isAtOnce ? nil : day(change.startsAt),
                refund: refund(of: change, from: present, state))]
    }

    /// The refund of an immediate change of plan; nil if there is none.
    func refund(
        of change: PlanChange, from present: AccountSubscription?, _ state: ShopState
    ) -> String? {
        guard let refund = change.refund, refund.milliunits > 0 else { return nil }
        return price(state.price(refund, of: present?.productID))
    }
}
