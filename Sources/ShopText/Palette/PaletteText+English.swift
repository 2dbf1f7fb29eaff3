import StoreModel

extension English {
    static func text(_ text: PaletteText) -> String {
        switch text {
        case .networkAlias: "offline online network connection internet"
        case .callName(let call): Self.name(call)
        case .thisProduct: "this product"
        case .aRequest: "a request"
        case .aPurchase: "a purchase"
        case .aSubscription: "a subscription"
        case .aProduct: "a product"
        case .nameOfAccount(let name, let account): "\(name) of \(account)"
        case .typeToFilter: "type to filter"
        case .nothingMatches: "Nothing matches."
        case .really(let what): "Really? \(what)"
        case .enterAgain: "Enter again, Esc cancels"
        case .enterAgainShort: "Enter: yes, Esc: no"
        case .askedBy(let item, let account): "\(item), asked by \(account)"
        case .offerApprove(let request): "Approve \(request)"
        case .offerDecline(let request): "Decline \(request)"
        case .offerClearFailure(let error): "Remove the failure \(error)"
        case .offerRefund(let name): "Refund \(name)"
        case .offerRefundPart(let name, let percent): "Refund \(percent)% of \(name)"
        case .offerRefundUnused(let name): "Refund the unused time of \(name)"
        case .offerRevoke(let name): "Revoke \(name), without returning money"
        case .offerReverse(let name): "Reverse the refund of \(name)"
        case .offerDelete(let name): "Delete the transaction of \(name)"
        case .offerDeleteAll(let name): "Delete all periods of \(name)"
        case .offerAutoRenew(let name, let isOn):
            "Turn auto-renew of \(name) \(isOn ? "on" : "off")"
        case .offerRenew(let name): "Renew \(name) now"
        case .offerExpire(let name): "End \(name) now"
        case .offerResolveBilling(let name): "Resolve the failed payment for \(name)"
        case .offerPriceIncrease(let name, let step):
            switch step {
            case .ask: "Ask for consent to a higher price of \(name)"
            case .consent: "Consent to the higher price of \(name)"
            case .decline: "Decline the higher price of \(name)"
            case .notify: "Announce a higher price of \(name)"
            }
        case .offerExtend(let name, let days): "Extend \(name) by \(days) days"
        case .offerExtendAll(let name, let days):
            "Extend \(name) by \(days) days for all subscribers"
        case .offerCancelSubscription(let name): "Cancel \(name) and refund its period"
        case .offerBilling(let fails): "Let payments for renewals \(fails ? "fail" : "succeed")"
        case .offerGrace(let isOn):
            isOn ? "Give a grace period after a failed renewal" : "Give no grace period"
        case .offerClockStop: "Stop the store's clock"
        case .offerClockResume: "Let the store's clock run"
        case .offerClockAdvance(let length): "Advance the store's clock by \(length)"
        case .offerClockTo(let instant): "Set the store's clock to \(instant)"
        case .offerClockNext: "Advance the store's clock to what is due next"
        case .offerRealTime: "Renewals: in real time"
        case .offerRate(let length, let time): "Renewals: \(length) takes \(time)"
        case .offerRateOfAll(let time): "Renewals: every period takes \(time)"
        case .offerFailure(let call, let sentence, let after):
            "Fail \(next(1, call))\(after.map { ", after \(count($0, "purchase"))" } ?? ""): \(sentence)"
        case .offerAskToBuy(let isOn): "Turn Ask to Buy \(isOn ? "on" : "off")"
        case .offerPayments(let isOn): "Turn payments \(isOn ? "on" : "off")"
        case .offerBank(let isOn): "Let the bank be asked: \(isOn ? "on" : "off")"
        case .offerInterrupts(let isOn): "Interrupt purchases: \(isOn ? "on" : "off")"
        case .offerResolve(let request): "Resolve \(request)"
        case .offerDialogs(let isOn): "Turn payment sheets \(isOn ? "on" : "off")"
        case .offerLocale(let language?): "Write names and prices in \(language)"
        case .offerLocale(nil): "Write names and prices in the customer's language"
        case .offerFamily(.create, _): "Found a family"
        case .offerFamily(.join(let account, _, let role), _):
            "Take \(account) into the family as \(role == .child ? "a child" : "an adult")"
        case .offerFamily(.leave(let account), _): "Take \(account) out of the family"
        case .offerFamily(.setRole(let account, .child), _): "Make \(account) a child"
        case .offerFamily(.setRole(let account, .adult), _): "Make \(account) an adult"
        case .offerFamily(.setSharing(_, nil, let isOn), _):
            isOn ? "Share purchases with the family" : "Stop sharing purchases with the family"
        case .offerFamily(.setSharing(_, _?, let isOn), let product):
            "\(isOn ? "Share" : "Stop sharing") \(product) with the family"
        case .offerDeclineRefund(let name): "Decline the refund of \(name)"
        case .offerBuyOutside(let name): "Sell \(name) outside the app"
        case .offerPromote(let name): "Begin to buy \(name) outside the app"
        case .offerPublish(let name): "Put \(name) on sale"
        case .offerTakeOff(let name): "Take \(name) off sale"
        case .offerBandwidth(let size): "Slow downloads down to \(size) a second"
        case .offerLatency(let milliseconds):
            "Let each request of a download take \(milliseconds) ms longer"
        case .offerTrouble(.stall, let at, let name):
            "Let the download of \(name) stand still \(place(at))"
        case .offerTrouble(.disconnect, let at, let name):
            "Lose the connection of \(name) \(place(at)), once"
        case .offerTrouble(.corrupt, let at, let name):
            "Change a byte of \(name) \(place(at)), once"
        case .offerTrouble(.full, let at, let name):
            "Let the disk be full for \(name) \(place(at))"
        case .atByte(let byte): "at byte \(byte)"
        case .offerClearDownloadFaults: "Take back all faults of downloads"
        case .offerHostPackage: "Host a package of content"
        case .offerPackage(let name, let package, let state):
            "Set package \(package) of \(name) to \(state.rawValue)"
        }
    }
}
