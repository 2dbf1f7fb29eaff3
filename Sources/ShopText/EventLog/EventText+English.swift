import StoreModel

extension English {
    static func text(_ text: EventText) -> String {
        switch text {
        case .sharedBefore(let account): "no longer shared by \(account)"
        case .on: "on"
        case .off: "off"
        case .eventName(let kind):
            switch kind {
            case .sold: "purchased"
            case .deferred: "requested"
            case .failed: "failed"
            case .purchaseCancelled: "cancelled"
            case .promoted: "promoted"
            case .refundRequested: "asks refund"
            case .refundDeclined: "no refund"
            case .finished: "finished"
            case .claimed: "claimed"
            case .refunded: "refunded"
            case .revoked: "revoked"
            case .refundReversed: "reversed"
            case .deleted: "deleted"
            case .autoRenewEnabled, .autoRenewDisabled: "auto-renew"
            case .expired: "expired"
            case .billingFailed: "billing"
            case .priceIncrease: "price"
            case .planChange: "plan"
            case .offerRedeemed: "offer"
            case .expiryMoved: "moved"
            case .upgraded: "upgraded"
            case .tokenSet: "token set"
            case .consumptionAnswered: "consumption"
            case .extensionDone: "extended all"
            case .serverSet: "server"
            case .accountChanged: "account"
            case .familyChanged: "family"
            case .consentRescinded: "consent"
            case .valueChanged: "value"
            case .catalogRevised: "catalog"
            case .clockSet: "clock"
            case .renewalsSet: "renewals"
            case .faultSet, .faultCleared: "failure"
            case .unknown: "unknown"
            }
        case .eventRenewed: "renewed"
        case .eventRestored: "restored"
        case .eventDownload: "download"
        case .eventHeld: "not sent"
        case .eventResent: "sent again"
        case .eventDevice: "device"
        case .eventTrouble: "trouble"
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
            case .planChangeTakenBack: "plan change withdrawn"
            case .offerRedeemed: "offer redeemed for the next renewal"
            }
        case .stopped: "stopped"
        case .running: "running"
        case .unknownKind(let kind): "kind \(kind)"
        case .claimedBy(let transaction, let device): "\(transaction) by \(device)"
        case .revision(let number): "revision \(number)"
        case .packageIs(let package, let state): "package \(package) \(state.rawValue)"
        case .accountSwitch(let setting, let isOn): state(of: setting, isOn: isOn)
        case .sharedBy(let account): "shared by \(account)"
        case .sharedByLine(let account): "Shared by \(account)."
        case .sentence(let words): words.prefix(1).uppercased() + words.dropFirst() + "."
        case .familyEvent(let what, let organizer, let product, let reader):
            familyEvent(what, organizer, product, reader)
        case .familyLine(let members): "Family: \(members)"
        case .familyOrganizer(let account): "\(account) (organizer)"
        case .familyChild(let account): "\(account) (child)"
        case .noticeLine(.appAccountToken, let subject, let accounts):
            "One token, several accounts: \(subject) of \(accounts)"
        case .noticeLine(.applicationUsername, let subject, let accounts):
            "One user name, several accounts: \(subject) of \(accounts)"
        case .noticeLine(.device, let subject, let accounts):
            "One device, many accounts: \(subject) of \(accounts)"
        case .accountLocale(let locale): locale.map { "locale \($0)" } ?? "no locale"
        case .clockMoved(let length, let instant): "moved \(length) ahead to \(instant)"
        case .clockMovedMessage(let moved): "The store's clock \(moved)."
        case .failureForNext(let error, let call, let count):
            "\(error) for \(next(count, call))"
        case .failureUsedUp(let error): "\(error): used up"
        case .lateBy(let length): "by \(length)"
        case .lasting(let length): "for \(length)"
        case .failureLeft(let error, let count):
            "\(error): removed" + (count.map { ", \($0) unused" } ?? "")
        case .renewalPayments(let fail): "payments \(fail ? "fail" : "succeed")"
        case .gracePeriod(let isOn): "\(isOn ? "" : "no ")grace period"
        case .renewalLimit(.count(let number), let inDay):
            "at most \(count(number, "renewal"))\(inDay ? " in 24 hours" : "")"
        case .renewalLimit(.none, inDay: false): "the rate's limit of renewals"
        case .renewalLimit(.endless, inDay: false): "renewals without end"
        case .renewalLimit(.none, inDay: true), .renewalLimit(.endless, inDay: true):
            "any number of renewals in 24 hours"
        }
    }
    private static func familyEvent(
        _ what: FamilyChange.What, _ organizer: String, _ product: String, _ reader: String?
    ) -> String {
        func who(_ account: AccountName) -> String {
            account.rawValue == reader ? "you" : account.rawValue
        }
        let family = organizer == reader ? "your family" : "the family of \(organizer)"
        switch what {
        case .created: return "\(who(AccountName(organizer))) created a family"
        case .joined(let account, let role):
            return "\(who(account)) joined \(family)" + (role == .child ? " as a child" : "")
        case .left(let account): return "\(who(account)) left \(family)"
        case .disbanded: return "\(family) ended"
        case .roleChanged(let account, let role):
            return "\(who(account)) \(account.rawValue == reader ? "are" : "is") "
                + "\(role == .child ? "a child" : "an adult") now"
        case .sharingChanged(let account, let one, let isOn):
            let shares = account.rawValue == reader ? "share" : "shares"
            return "\(who(account)) \(isOn ? shares : "no longer \(shares)") "
                + (one == nil ? "purchases" : product)
        case .consentRescinded(let account):
            return "consent to the app withdrawn for \(who(account))"
        }
    }
}
