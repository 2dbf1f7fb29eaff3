import StoreModel

extension English {
    static func offer(_ action: OperatorAction, _ name: String, _ strings: Strings) -> String {
        switch action {
        case .approve: "Approve \(name)"
        case .decline: "Decline \(name)"
        case .resolve: "Resolve \(name)"
        case .declineRefund: "Decline the refund of \(name)"
        case .buyOutside: "Sell \(name) outside the app"
        case .promote: "Begin to buy \(name) outside the app"
        case .publish(_, .approved): "Put \(name) on sale"
        case .publish: "Take \(name) off sale"
        case .package(let action):
            "Set package \(action.packageName) of \(name) to \(action.state.rawValue)"
        case .changeAccount(let change): offer(change, strings)
        case .failNext(let call, let error, let count, _, let delay) where call.isDisturbed:
            "Disturb \(next(count, call))\(strings.timing(of: error, delay)): \(name)"
        case .failNext(let call, _, _, let after, _):
            "Fail \(next(1, call))\(after.map { ", after \(count($0, "purchase"))" } ?? ""): \(name)"
        case .clearFaults: sentence(.keyClearFailures)
        case .clearFault: "Remove the failure \(name)"
        case .refund(_, .rest, _): "Refund \(name)"
        case .refund(_, .percent(let percent), _): "Refund \(percent)% of \(name)"
        case .refund(_, .prorated, _): "Refund the unused time of \(name)"
        case .revoke: "Revoke \(name), without returning money"
        case .reverseRefund: "Reverse the refund of \(name)"
        case .delete(_, wholeChain: false): "Delete the transaction of \(name)"
        case .delete(_, wholeChain: true): "Delete all periods of \(name)"
        case .clock(.stop): "Stop the store's clock"
        case .clock(.resume): "Let the store's clock run"
        case .clock(.advance): "Advance the store's clock by \(name)"
        case .clock(.to): "Set the store's clock to \(name)"
        case .clock(.next): "Advance the store's clock to what is due next"
        case .setRenewals: name
        case .setAutoRenew(_, let isOn): "Turn auto-renew of \(name) \(isOn ? "on" : "off")"
        case .family(.create): "Create a family"
        case .family(.join(let account, let organizer, let role)):
            "Add \(account) to the family of \(organizer) as "
                + (role == .child ? "a child" : "an adult")
        case .family(.leave(let account)): "Remove \(account) from the family"
        case .family(.setRole(let account, .child)): "Make \(account) a child"
        case .family(.setRole(let account, .adult)): "Make \(account) an adult"
        case .family(.setSharing(_, nil, let isOn)):
            isOn ? "Share purchases with the family" : "Stop sharing purchases with the family"
        case .family(.setSharing(_, _?, let isOn)):
            "\(isOn ? "Share" : "Stop sharing") \(name) with the family"
        case .family(.rescindConsent(let account)): "Withdraw the consent to the app for \(account)"
        case .expire: "End \(name) now"
        case .renew: "Renew \(name) now"
        case .resolveBilling: "Resolve the failed payment for \(name)"
        case .priceIncrease(_, .ask): "Ask for consent to a higher price of \(name)"
        case .priceIncrease(_, .consent): "Consent to the higher price of \(name)"
        case .priceIncrease(_, .decline): "Decline the higher price of \(name)"
        case .priceIncrease(_, .notify): "Announce a higher price of \(name)"
        case .extend(_, let days): "Extend \(name) by \(days) days"
        case .raisePrice(_, let percent, true):
            "Raise the price of \(name) by \(percent)% for new subscribers"
        case .raisePrice(_, let percent, false): "Raise the price of \(name) by \(percent)%"
        case .extendAll(_, let days, _): "Extend \(name) by \(days) days for all subscribers"
        case .cancelSubscription: "Refund the period of \(name) and end it"
        }
    }

    private static func offer(_ change: AccountChange, _ strings: Strings) -> String {
        switch change.switched {
        case (let setting, let isOn)?: offer(setting, isOn: isOn)
        case nil where change.locale == "": "Write names and prices in the customer's language"
        case nil:
            change.locale.map { "Write names and prices in \(strings.languageName($0))" }
                ?? "Move to \(strings.territory(change.territory ?? "", currency: nil))"
        }
    }

    static func done(_ done: OperatorDone, _ strings: Strings) -> String {
        switch done.action {
        case .approve(let id) where !done.isChanged, .resolve(let id) where !done.isChanged:
            "Request \(id) \(done.wasSold ? "is sold" : "was answered") already; nothing was done."
        case .approve(let id) where done.sale != nil: "Approved \(id): it is sold."
        case .resolve(let id) where done.sale != nil: "Resolved \(id): it is sold."
        case .approve(let id): "Approved \(id)" + later(done, strings)
        case .resolve(let id): "Resolved \(id)" + later(done, strings)
        case .decline(let id): "Declined \(id)."
        case .declineRefund(let id): "Declined the refund of \(id)."
        case .buyOutside(let product, _, let quantity, _, _, _):
            done.planned.first?.until.map {
                "\(product) is planned for the renewal on \(strings.date($0)). Nothing is charged now."
            }
                ?? "Sold \(strings.items(quantity, product.rawValue)) outside the app: "
                + "transaction \(done.sale?.description ?? "")."
        case .promote(let product, let account):
            "Account \"\(account)\" has begun to buy \(product): the app is told."
        case .publish(let product, let state):
            "\(product) \(done.isChanged ? "is \(state.rawValue) now" : "was \(state.rawValue) already")."
        case .package(let action):
            "\(action.productID): package \(action.packageName) "
                + (done.isChanged
                    ? "is \(action.state.rawValue) now." : "was \(action.state.rawValue) already.")
        case .changeAccount(let change): self.done(change, done.settings, strings)
        case .failNext(let call, let error, let count, _, let delay) where call.isDisturbed:
            "\(next(count, call).prefix(1).uppercased())\(next(count, call).dropFirst()): "
                + error.rawValue + strings.timing(of: error, delay) + "."
        case .failNext(let call, let error, let count, let after, _):
            "\(next(count, call).prefix(1).uppercased())\(next(count, call).dropFirst()) "
                + "will fail\(after.map { " after \(self.count($0, "purchase"))" } ?? ""): "
                + "\(error.rawValue)."
        case .clearFaults where !done.isChanged: text(Refusal.noFaults, strings)
        case .clearFaults: "Removed \(count(done.clearedFaults.count, "failure"))."
        case .clearFault(let number):
            "Removed failure \(number)"
                + (done.clearedFaults.first.map { ": \(strings.faultSet($0))." } ?? ".")
        case .refund(let id, _, _):
            "Refunded \(id)\(done.refunded.map { ", \(strings.price($0)) in all" } ?? ""): "
                + (done.isOfConsumable
                    ? "the same share of its units leaves the purse that they were granted to."
                    : "no device can use it any more.")
        case .revoke(let id):
            done.isChanged
                ? "Revoked \(id): no device can use it any more." + nextGivenBack(done, strings)
                : "\(id) was revoked before."
        case .reverseRefund(let id): "Reversed the refund of \(id): every device can use it again."
        case .delete(let id, _):
            done.deleted > 1
                ? "Deleted \(done.deleted) transactions, with everything they had granted."
                : "Deleted \(id), with everything it had granted."
        case .clock(let action): strings.moved(action, done)
        case .setRenewals(let change): strings.renewals(change)
        case .setAutoRenew(let id, true): "Auto-renew is on for the subscription of \(id)."
        case .setAutoRenew(let id, false):
            "Auto-renew is off for the subscription of \(id): "
                + (done.commitmentEnd.map {
                    "the payments of its commitment continue, and it ends with the commitment, on "
                        + "\(strings.date($0))."
                } ?? "it ends with its period, or with the grace period if that has begun.")
        case .family where !done.isChanged: "It was so already; nothing changed."
        case .family(let action): self.done(action)
        case .expire(let id):
            "The subscription of \(id) has ended." + nextGivenBack(done, strings)
        case .renew(let id):
            "The subscription of \(id) has renewed."
                + (done.turnedOn ? " Auto-renew was off and is on again." : "")
        case .resolveBilling(let id): "The renewal of \(id) has been paid."
        case .priceIncrease(let id, let step):
            "The subscriber of \(id) " + self.done(step, isNew: done.isChanged)
        case .extend(let id, let days):
            "The subscription of \(id) is extended by \(days) day\(days == 1 ? "" : "s")."
        case .raisePrice(let plan, let percent, let keepsPrice):
            "\(plan) costs \(percent)% more from now on. Those who subscribe "
                + (keepsPrice ? "keep their price." : "are told before they pay it.")
        case .extendAll where done.extended == 0: "No subscription is left to extend."
        case .extendAll where done.extended == 1 && !done.hasMore: "1 subscription is extended."
        case .extendAll:
            "\(done.extended) subscriptions\(done.hasMore ? " or more" : "") are extended."
        case .cancelSubscription(let id):
            "The subscription of \(id) has ended, and its period is refunded."
        }
    }

    /// The end of the message about an accepted request that sold nothing.
    private static func later(_ done: OperatorDone, _ strings: Strings) -> String {
        (done.planned.last.map {
            ": \($0.product) begins "
                + ($0.until.map { "on \(strings.date($0))" } ?? "at the next renewal")
        } ?? ": the present plan continues") + ". Nothing was charged."
    }

    /// About a next period that was already charged; empty if there was none.
    private static func nextGivenBack(_ done: OperatorDone, _ strings: Strings) -> String {
        done.refunded.map {
            " The next period was charged ahead: \(strings.price($0)) is given back."
        } ?? ""
    }

    private static func done(
        _ change: AccountChange, _ settings: AccountSettings?, _ strings: Strings
    ) -> String {
        let name = change.account
        return switch change.switched {
        case (let setting, let isOn)?: done(setting, isOn: isOn, of: change.account)
        case nil where change.locale != nil:
            "Account \"\(name)\" now reads names and prices in "
                + (strings.locale(of: change, settings) ?? "the customer's own language") + "."
        case nil: "Account \"\(name)\" now buys in \(strings.territory(of: change, settings))."
        }
    }

    private static func done(_ action: FamilyAction) -> String {
        switch action {
        case .create(let organizer): "Account \"\(organizer)\" has a family and is its organizer."
        case .join(let account, let organizer, let role):
            "Account \"\(account)\" joined the family of \"\(organizer)\""
                + (role == .child ? " as a child: its purchases wait for \"\(organizer)\"." : ".")
        case .leave(let account):
            "Account \"\(account)\" left its family. What was shared with it and by it is revoked."
        case .setRole(let account, .child):
            "Account \"\(account)\" is a child: its purchases wait for the organizer."
        case .setRole(let account, .adult):
            "Account \"\(account)\" is an adult: it buys without asking."
        case .setSharing(let account, let product, let isOn):
            "Account \"\(account)\" \(isOn ? "shares" : "no longer shares") "
                + (product.map { "\($0)" } ?? "its purchases") + " with its family."
        case .rescindConsent(let account):
            "The consent to the app is withdrawn for account \"\(account)\". What it bought stays."
        }
    }

    private static func done(_ step: PriceIncreaseStep, isNew: Bool) -> String {
        switch step {
        case .ask where isNew:
            "is asked to consent to the catalog's price, higher or not; without consent, it will "
                + "not renew."
        case .ask: "was asked already and has not answered."
        case .consent where isNew: "has consented to the catalog's price."
        case .consent: "had consented already."
        case .decline: "has declined: it ends with its period."
        case .notify where isNew:
            "is told of the catalog's price and need not consent; it is charged from the next "
                + "renewal."
        case .notify: "was told already, or has consented."
        }
    }
}
