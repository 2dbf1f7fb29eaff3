import ShopText
import StoreModel

/// The texts of the message row.
extension Wording {
    /// A message in one or more sentences, its cause first.
    func message(_ what: StatusMessage.What) -> String {
        switch what {
        case .asking(let name): self[.askingFor(name: name)]
        case .claiming(let name): self[.claiming(name: name)]
        case .changingPlan(let name): self[.changingPlanTo(name: name)]
        case .subscription(let event, let name, let next):
            self[
                .subscriptionMessage(
                    event, name: name, next: next, day: event.until.map { day($0) })]
        case .autoRenew(let name, let isOn, let until):
            self[.autoRenewMessage(name: name, isOn: isOn, day: until.map { day($0) })]
        case .bought(let purchase) where purchase.isElsewhere:
            self[
                .boughtElsewhere(
                    item: strings.items(purchase.quantity, purchase.name),
                    price: purchase.price.map { strings.price($0) })]
        case .bought(let purchase):
            bought(purchase) + strings.language.sentenceGap + receipt(purchase)
        case .renewed(let name, let until):
            self[.hasRenewed(name: name, until: until.map { day($0) })]
        case .shared(let name): self[.sharedMessage(name: name)]
        case .familyChanged(let change, let name):
            self[.sentence(strings.event(change, product: name))]
        case .alreadyOwned(let name): self[.alreadyOwnedMessage(name: name)]
        case .pending(let name, .askToBuy): self[.pendingMessage(name: name)]
        case .pending(let name, .authentication): self[.pendingAtBankMessage(name: name)]
        case .pending(let name, .interrupted): self[.interruptedMessage(name: name)]
        case .refundRequested(let name): self[.refundRequestedMessage(name: name)]
        case .refundDeclined(let name): self[.refundDeclinedMessage(name: name)]
        case .promoted(let name): self[.promotedMessage(name: name)]
        case .cancelled: self[.cancelledMessage]
        case .failed(let name, let error):
            about(name, error)
        case .outcomeUnknown(let name, _): self[.outcomeUnknownMessage(name: name)]
        case .resending(let payment):
            self[.sendingAgain(item: item(payment), time: time(payment.queuedAt))]
        case .held(let payment):
            self[.notSent(item: item(payment), time: time(payment.queuedAt))]
        case .unverified(let reason):
            self[.notVerified(reason: namesConsole ? reason.rawValue : nil)]
        case .restoring: self[.restoringMessage]
        case .promotedDropped(let name): self[.promotedDroppedMessage(name: name)]
        case .restored(
            let count, let alreadyHere, let unverified, let toDownload, let leavesConsumables):
            restored(count, alreadyHere, unverified, toDownload)
                + (leavesConsumables ? self[.consumablesStay] : "")
        case .restoreFailed(let error):
            self[.restoreFailed(reason: line(error, of: nil))]
        case .downloaded(let name): self[.downloadedMessage(name: name)]
        case .downloadPaused(let name): self[.downloadPausedMessage(name: name)]
        case .downloadResumed(let name): self[.downloadingMessage(name: name)]
        case .downloadCancelled(let name): self[.downloadCancelledMessage(name: name)]
        case .updateCancelled(let name, let version):
            self[.updateCancelledMessage(name: name, version: version)]
        case .downloadFailed(let name, let error):
            self[.about(name: name, text: strings.downloadMessage(for: error).line)]
        case .contentDeleted(let name): self[.deletedHereMessage(name: name)]
        case .makingRoom(let name): self[.makingRoomMessage(name: name)]
        case .roomMade(let name, let packages, let bytes):
            self[
                .roomMadeMessage(name: name, packages: packages, size: Measures.bytes(bytes))]
        case .downloadWaits(let name, let obstacle):
            self[.about(name: name, text: sentence(obstacle))]
        case .metered(true, let bytes): self[.meteredIsOn(size: Measures.bytes(bytes))]
        case .metered(false, _): self[.meteredIsOff]
        case .updatesFound(let name, let update, 1):
            self[
                .updateFoundMessage(
                    name: name, version: update.offeredVersion,
                    size: Measures.bytes(update.length))]
        case .updatesFound(let name, _, let count):
            self[.updatesFoundMessage(name: name, more: count - 1)]
        case .updatingAll(let count): self[.updatingAllMessage(count)]
        case .downloadFaults(let faults): self.faults(faults)
        case .approved(let name): self[.approvedMessage(name: name)]
        case .declined(let name): self[.declinedMessage(name: name)]
        case .revised(let name, let kind): revised(name, kind)
        case .deleted(let name): self[.removedMessage(name: name)]
        case .clockSet(let clock, let before, let now) where before?.jump(to: clock) != nil:
            self[.clockMovedMessage(clockMoved(from: before, to: clock, at: now) ?? "")]
        case .clockSet(.stopped(let instant), _, _):
            self[.clockStopped(at: self.instant(instant))]
        case .clockSet(.running, _, let now): self[.clockSet(to: instant(now))]
        case .clockSetBack(let seconds):
            self[.clockSetBack(by: strings.roughly(seconds: seconds))]
        case .overdue(let since): self[.overdue(since: instant(since))]
        case .askToBuy(let isOn): self[isOn ? .askToBuyIsOn : .askToBuyIsOff]
        case .payments(let areAllowed): self[areAllowed ? .paymentsAllowed : .paymentsForbidden]
        case .performed(let outcome): done(outcome)
        case .faultsCleared: self[.noFailures]
        case .priceChanged(let name): self[.priceChangedMessage(name: name)]
        case .catalogRevised: self[.catalogChanged]
        case .catalogRefused(let problem): self[.catalogRefused(problem: problem)]
        case .catalogNotice(let notice): notice
        case .trouble(let error): line(error, of: nil)
        case .refused(let reason): refusal(reason)
        case .tookOver: self[.thisShopDelivers]
        case .reopened: self[.storeWasReplaced]
        case .themeKept: self[.themeIsKept]
        case .notWatching: self[.cannotWatch]
        case .signedIn(let account?): self[.nowSignedIn(account: account.rawValue)]
        case .signedIn(nil): self[.nowSignedOut]
        case .networkCutsNext: self[.networkCutsNext]
        case .network(let isOn): self[isOn ? .networkIsBack : .networkIsCut]
        case .pointer(let isOn): self[isOn ? .mouseOn : .mouseOff]
        case .copied(.identifier(let text)): self[.copiedText(text)]
        case .copied(.receipt): self[.copiedReceipt]
        case .notCopied(.receipt): self[.notCopiedReceipt]
        case .copied(.signedText(let id, _)): self[.copiedSigned(transaction: id.description)]
        case .notCopied(.identifier(let text)): self[.notCopiedText(text)]
        case .notCopied(.signedText(let id, _)):
            self[.notCopiedSigned(transaction: id.description)]
        }
    }

    /// The faults of this device's downloads: "Downloads of phone: 2 kB a second, connection lost
    /// at byte 4850."
    func faults(_ faults: DownloadFaults) -> String {
        faults.isEmpty ? self[.noFaultsOfDownloads] : self[.faultsOfDownloads(faults)]
    }

    private func done(_ outcome: OperatorOutcome) -> String {
        var clock = outcome.clock
        let moved = clock.flatMap {
            clockMoved(from: outcome.clockBefore, to: $0.state, at: $0.now)
        }
        // A message about the move names the clock's new time, so the clock is not named again.
        if moved != nil { clock = nil }
        var done = OperatorDone(outcome.action, outcome.events)
        done.settings = outcome.settings
        done.now = clock.map { instant($0.now) }
        return [moved.map { self[.clockMovedMessage($0)] }, strings.done(done)].compactMap { $0 }
            .filter { !$0.isEmpty }.joined(separator: strings.language.sentenceGap)
    }

    /// The first row of a purchase: "Bought The Lighthouse for $3.99."
    func bought(_ purchase: Bought) -> String {
        self[
            .bought(
                item: strings.items(purchase.quantity, purchase.name),
                price: purchase.price.map { strings.price($0) })]
    }

    /// The second row of a purchase: "Transaction 1000003, verified. Downloading."
    func receipt(_ purchase: Bought) -> String {
        let receipt = self[.receiptLine(transaction: purchase.transaction.description)]
        let gap = strings.language.sentenceGap
        return switch purchase.content {
        case .none: receipt
        case .downloading: receipt + gap + self[.itIsDownloading]
        case .downloaded: receipt + gap + self[.itIsDownloaded]
        case .waiting(let obstacle): receipt + gap + sentence(obstacle)
        }
    }

    /// The reason why a download waits, and the key to press if a person must resume it.
    private func sentence(_ obstacle: DownloadObstacle) -> String {
        switch obstacle {
        case .consent(let bytes): self[.waitsForConsentLine(size: Measures.bytes(bytes))]
        case .room(let figures):
            self[.waitsForRoomLine(needed: figures.map { Measures.bytes($0.needed) })]
        case .network: self[.waitsForNetworkLine]
        }
    }

    /// The message about an error, on one line.
    ///
    /// - Parameter name: the product's name; nil for the name of the product in the error.
    func line(_ error: StoreError, of name: String?) -> String {
        let name = name ?? error.productID.flatMap(productName)
        return strings.message(
            for: error, to: .screen(product: name, namesConsole: namesConsole)
        ).line
    }

    /// The message about an error of a product. The product's name is put before it unless its
    /// sentences contain the name.
    private func about(_ name: String, _ error: StoreError) -> String {
        let text = line(error, of: name)
        // A placeholder that no sentence contains by chance.
        let mark = "\u{0}"
        return line(error, of: mark).contains(mark)
            ? text : self[.about(name: name, text: text)]
    }

    /// A day and a time, for the age of data.
    func moment(_ instant: Timestamp) -> String { self.instant(instant) }

    private func time(_ instant: Timestamp) -> String { strings.formatters.time(instant) }

    private func item(_ payment: PastPayment) -> String {
        let item = strings.items(payment.quantity, payment.name)
        guard let price = payment.price else { return item }
        return self[.itemFor(item: item, price: strings.price(price))]
    }

    private func restored(
        _ count: Int, _ alreadyHere: Int, _ unverified: Int, _ toDownload: Int
    ) -> String {
        let text: ScreenText =
            count > 0 ? .restoredMessage(count) : alreadyHere > 0 ? .allIsHere : .nothingToRestore
        return self[text] + (toDownload > 0 ? self[.spaceDownloads(toDownload)] : "")
            + (unverified > 0 ? self[.couldNotBeVerified(unverified)] : "")
    }

    private func revised(_ name: String, _ kind: RevisionKind) -> String {
        switch kind {
        case .refunded: self[.refundedMessage(name: name)]
        case .revoked: self[.revokedMessage(name: name)]
        case .refundReversed: self[.refundReversedMessage(name: name)]
        case .expiryMoved: self[.expiryMovedMessage(name: name)]
        case .upgraded: self[.upgradedMessage(name: name)]
        }
    }

    private func refusal(_ reason: Refusal) -> String {
        let text: ScreenText =
            switch reason {
            case .operatorOnly(let account): .operatorOnly(account: account.rawValue)
            case .stillOpening: .stillOpening
            case .paymentsNotAllowed: .andNotCharged(.paymentsForbidden)
            case .alreadyOwned(let name): .alreadyOwnedMessage(name: name)
            case .alreadyWaiting(let name): .andNotCharged(.waitsAlready(name: name))
            case .alreadyPurchasing(let name): .buyingAlready(name: name)
            case .alreadyYourPlan(let name): .alreadyYourPlan(name: name)
            case .alreadyPlanned(let name, let from): .alreadyPlanned(name: name, day: day(from))
            case .noSubscription: .noSubscriptionYet
            case .groupTaken(let other): .andNotCharged(.planIsTaken(by: other))
            case .ownedElsewhere(let name): .restoreItFirst(name: name)
            case .noProductSelected: .noProductSelected
            case .noTransaction(let name): .noTransaction(of: name)
            case .noSubscriptionSelected: .noSubscriptionSelected
            case .nothingDownloading: .nothingDownloads
            case .nothingToCancel: .nothingToCancel
            case .noContentHere: .nothingToDelete
            case .nothingToUpdate: .nothingToUpdate
            case .downloadIsPast: .downloadIsPast
            case .noDownloadFaults: .noFaultsOfDownloads
            case .alreadyRestoring: .restoringAlready
            case .nothingWaiting: .noRequestWaits
            case .noRequestSelected: .noRequestSelected
            case .noFaults: .noFailures
            case .nothingPromoted: .nothingPromoted
            case .onCommandLine: .packagesOnCommandLine
            case .nothingDue: .nothingIsDue
            case .nothingToCopy: .nothingToCopy
            case .nothingToClaim: .nothingToClaim
            case .noConsole: .noConsole
            }
        return self[text]
    }
}
