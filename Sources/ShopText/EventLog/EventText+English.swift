import StoreModel

extension English {
    static func text(_ text: EventText) -> String {
        switch text {
        case .sharedBefore(let account): "no longer shared by \(account)"
        case .on: "on"
        case .off: "off"
        case .eventRenewed: "renewed"
        case .eventRestored: "restored"
        case .eventDownload: "download"
        case .eventCancelled: "cancelled"
        case .eventHeld: "not sent"
        case .eventResent: "sent again"
        case .eventDevice: "device"
        case .eventTrouble: "trouble"
        case .eventPurchased: "purchased"
        case .eventRefunded: "refunded"
        case .eventRevoked: "revoked"
        case .eventReversed: "reversed"
        case .eventDeleted: "deleted"
        case .eventRenews: "auto-renew"
        case .eventClock: "clock"
        case .eventRenewals: "renewals"
        case .eventUnknown: "unknown"
        case .eventDeferred: "requested"
        case .eventFailed: "failed"
        case .eventFinished: "finished"
        case .eventRefundRequested: "asks refund"
        case .eventRefundDeclined: "no refund"
        case .eventPromoted: "promoted"
        case .eventExpired: "expired"
        case .eventBilling: "billing"
        case .eventPriceIncrease: "price"
        case .eventPlanChange: "plan"
        case .eventOffer: "offer"
        case .eventMoved: "moved"
        case .eventUpgraded: "upgraded"
        case .subscriptionEvent(let kind):
            switch kind {
            case .expired: "expired"
            case .billingFailed: "payment failed"
            case .graceBegan: "grace period began"
            case .graceEnded: "grace period ended"
            case .billingRetryBegan: "billing retry began"
            case .billingRetryFailed: "payment failed again"
            case .priceIncreaseAsked: "price increase asked"
            case .priceIncreaseAgreed: "price increase agreed"
            case .priceIncreaseNotified: "price increase announced, no consent needed"
            case .planChangePlanned: "plan change planned"
            case .planChangeTakenBack: "plan change taken back"
            case .offerRedeemed: "offer redeemed for the next renewal"
            }
        case .eventClaimed: "claimed"
        case .eventCatalog: "catalog"
        case .eventAccount: "account"
        case .eventFailure: "failure"
        case .stopped: "stopped"
        case .running: "running"
        case .unknownKind(let kind): "kind \(kind)"
        case .claimedBy(let transaction, let device): "\(transaction) by \(device)"
        case .revision(let number): "revision \(number)"
        case .packageIs(let package, let state): "package \(package) \(state.rawValue)"
        case .accountAskToBuy(let isOn): "Ask to Buy \(isOn ? "on" : "off")"
        case .accountPayments(let areAllowed): "payments \(areAllowed ? "allowed" : "off")"
        case .eventFamily: "family"
        case .sharedBy(let account): "shared by \(account)"
        case .sharedByLine(let account): "Shared by \(account)."
        case .sentence(let words): words.prefix(1).uppercased() + words.dropFirst() + "."
        case .familyEvent(.created, let organizer, _): "\(organizer) founded a family"
        case .familyEvent(.joined(let account, let role), let organizer, _):
            "\(account) joined the family of \(organizer)"
                + (role == .child ? " as a child" : "")
        case .familyEvent(.left(let account), let organizer, _):
            "\(account) left the family of \(organizer)"
        case .familyEvent(.disbanded, let organizer, _): "the family of \(organizer) ended"
        case .familyEvent(.roleChanged(let account, let role), _, _):
            "\(account) is \(role == .child ? "a child" : "an adult") now"
        case .familyEvent(.sharingChanged(let account, let product, let isOn), _, let name):
            "\(account) \(isOn ? "shares" : "no longer shares") "
                + (product == nil ? "purchases" : name)
        case .familyLine(let members): "Family: \(members)"
        case .familyOrganizer(let account): "\(account) (organizer)"
        case .familyChild(let account): "\(account) (child)"
        case .noticeLine(.appAccountToken, let subject, let accounts):
            "One token, several accounts: \(subject) of \(accounts)"
        case .noticeLine(.applicationUsername, let subject, let accounts):
            "One user name, several accounts: \(subject) of \(accounts)"
        case .noticeLine(.device, let subject, let accounts):
            "One device, many accounts: \(subject) of \(accounts)"
        case .accountAsksBank(let isOn): "bank \(isOn ? "asked" : "not asked")"
        case .accountInterrupts(let isOn): "purchases \(isOn ? "" : "not ")interrupted"
        case .accountDialogs(let isOn): isOn ? "payment sheets" : "payment without a sheet"
        case .accountLocale(let locale): locale.map { "locale \($0)" } ?? "no locale"
        case .clockMoved(let length, let instant): "moved \(length) ahead to \(instant)"
        case .clockMovedMessage(let moved): "The store's clock \(moved)."
        case .failureForNext(let error, let call, let count):
            "\(error) for \(next(count, call))"
        case .failureUsedUp(let error): "\(error): used up"
        case .failureLeft(let error, let count):
            "\(error): removed" + (count.map { ", \($0) unused" } ?? "")
        }
    }
}
