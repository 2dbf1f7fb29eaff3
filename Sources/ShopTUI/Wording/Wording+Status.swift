import ShopCore
import ShopText
import StoreModel

/// The texts of a product's status.
extension Wording {
    /// The status for a row of the list, from the longest wording to the shortest. Empty for a
    /// download: its row has a bar.
    func status(_ status: ProductStatus) -> [String] {
        let texts = statusTexts(status)
        let sign =
            switch status {
            case .purchasing, .waitingForAnswer: glyphs.underWay + " "
            case .failed, .downloadFailed: glyphs.wrong + " "
            case .notDownloaded, .owned, .current, .timed: glyphs.done + " "
            case .buyable, .downloading, .paused, .ownedElsewhere, .groupTaken, .ownServer: ""
            }
        return texts.map { sign + self[$0] }
    }

    private func statusTexts(_ status: ProductStatus) -> [ScreenText] {
        switch status {
        case .buyable: []
        case .purchasing: [.buying]
        case .waitingForAnswer(_, .askToBuy): [.waitingForApproval, .waiting]
        case .waitingForAnswer(_, .authentication): [.waitingForBank, .waiting]
        case .waitingForAnswer(_, .interrupted): [.interrupted, .waiting]
        case .failed(let error): failure(error)
        case .downloading: []
        case .paused(let download):
            [.pausedAt(percent: Int(download.progress * 100)), .paused]
        case .downloadFailed: [.ownedDownloadFailed, .downloadFailedShort, .failedShort]
        case .notDownloaded: [.ownedNotDownloaded, .owned]
        case .owned(let isRestored): [isRestored ? .restored : .owned]
        case .ownedElsewhere: [.ownedElsewhere, .ownedElsewhereShort]
        case .current(nil, _): [.yourPlan]
        case .current(let until?, renews: true):
            [.yourPlanRenews(day: day(until)), .renewsOn(day: day(until)), .yourPlan]
        case .current(let until?, renews: false), .timed(let until):
            [.yourPlanUntil(day: day(until)), .untilDay(day: day(until)), .owned]
        case .groupTaken(_, nil): [.afterYourPlan]
        case .groupTaken(_, let until?):
            [.afterYourPlanEnds(day: day(until)), .fromDay(day: day(until)), .afterYourPlan]
        case .ownServer: [.fromAppServer, .appServerShort]
        }
    }

    /// "declined, not charged"
    func failureNote(_ error: StoreError) -> String { failure(error).first.map { self[$0] } ?? "" }

    /// A failed purchase in a few words. The message row has the whole sentence.
    private func failure(_ error: StoreError) -> [ScreenText] {
        let reason: ScreenText =
            switch error.code {
            case .approvalDeclined, .paymentDeclined: .declined
            case .purchaseNotAllowed: .notAllowed
            case .networkError: .noConnection
            case .productUnavailable, .notAvailableInStorefront: .notAvailable
            case .priceChanged: .priceHasChanged
            case .storeFull, .storeBusy, .storeReadOnly, .storeUnreadable, .storeReplaced:
                .storeNotReached
            default: .failedShort
            }
        return [.reasonNotCharged(self[reason]), reason, .failedShort]
    }

    /// The status in a sentence, for the product's page; nil if the buttons say everything.
    func statusLine(_ status: ProductStatus, of product: Product, _ state: ShopState) -> String? {
        switch status {
        case .buyable, .failed:
            if !state.canMakePayments { return self[.paymentsAreOff] }
        case .purchasing, .waitingForAnswer, .downloading, .paused, .downloadFailed,
            .notDownloaded, .owned, .ownedElsewhere, .current, .timed, .groupTaken, .ownServer:
            break
        }
        switch status {
        case .buyable, .downloading: return nil
        case .failed(let error):
            return strings.message(
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
            return download.error.map { strings.downloadMessage(for: $0).line }
                ?? self[.theDownloadFailed]
        case .notDownloaded: return self[.ownedNotDownloadedLine]
        case .owned(isRestored: true): return self[.ownedAndRestored]
        case .owned(isRestored: false):
            return self[product.hostedContent.isEmpty ? .ownedLine : .ownedAndDownloaded]
        case .ownedElsewhere: return self[.ownedElsewhereLine]
        case .current(let until?, renews: true) where state.sharedBy(product.id) != nil:
            // Its owner is charged.
            return self[.sentence(self[.yourPlanRenews(day: day(until))])]
        case .current(let until?, renews: true):
            return self[.renewsLine(day: day(until), price: price(product))]
        case .current(let until?, renews: false):
            return product.subscription?.period == nil
                ? self[.yourPlanUntil(day: day(until))]
                : self[.subscriptionEndsLine(day: day(until))]
        case .current(nil, _): return self[.subscriptionNeverEnds]
        case .timed(let until): return self[.passUntilLine(day: day(until))]
        case .groupTaken(let other, let until):
            let name = state.name(of: other)
            return until.map { self[.otherPlanUntilLine(name: name, day: day($0))] }
                ?? self[.otherPlanLine(name: name)]
        case .ownServer: return self[.appServerLine]
        }
    }
}
