import StoreModel

extension English {
    static func text(_ text: StatusText, _ strings: Strings) -> String {
        switch text {
        case .asking(let item): "Buying \(strings.item(item))…"
        case .claiming(let item): "Claiming \(strings.item(item))…"
        case .changingPlan(let name): "Changing to \(name)…"
        case .subscription(let event, let name, let next):
            subscriptionMessage(
                event, name, next, event.until.map(strings.day),
                key: strings.key(.subscription))
        case .autoRenew(let name, let isOn, let until):
            autoRenew(name, isOn, until.map(strings.day))
        case .bought(let purchase) where purchase.isUnasked: bought(purchase, strings)
        case .bought(let purchase): bought(purchase, strings) + " " + receipt(purchase, strings)
        case .renewed(let name, let until):
            "\(name) has renewed" + (until.map { " until \(strings.day($0))." } ?? ".")
        case .shared(let name): "Your family shares \(name) with you."
        case .familyChanged(let change, let name, let reader):
            self.text(EventText.sentence(strings.event(change, product: name, reader: reader)))
        case .alreadyOwned(let name): self.text(Refusal.alreadyOwned(name: name), strings)
        case .pending(let item, let reason): pending(strings.item(item), reason)
        case .refundRequested(let name): "You asked for a refund of \(name). The store decides."
        case .refundDeclined(let name): "The refund of \(name) was declined."
        case .promoted(let name): promoted(name, strings)
        case .promotedDropped(let name):
            "Dropped \(name), begun outside the app. You weren't charged."
        case .appAsks(let name): "An app on this device asks you to confirm: \(name)."
        case .appGaveUp(let name): "The app no longer asks for \(name)."
        case .cancelled: "Cancelled. You weren't charged."
        case .failed(let item, let error): strings.about(strings.item(item), error)
        case .outcomeUnknown(let item, _):
            "Not known yet whether \(strings.item(item)) was bought. The store is asked again, and never charges "
                + "twice."
        case .resending(let payment):
            "Sending again: \(strings.item(payment)), asked for at \(strings.time(payment.queuedAt)) "
                + "by a shop that ended before its answer."
        case .held(let payment): held(payment, strings)
        case .heldDropped(let item): "Dropped \(strings.item(item)). You weren't charged."
        case .unverified(let reason):
            "A transaction could not be verified"
                + (strings.namesConsole ? " (\(reason.rawValue))" : "") + ". It unlocked nothing."
        case .restoring: "Restoring purchases…"
        case .restored(let count, let alreadyHere, let unverified, let toDownload, let leaves):
            restored(count, hasMore: alreadyHere > 0)
                + notDownloaded(toDownload, strings.key(.download))
                + notRestored(unverified, leavesConsumables: leaves)
        case .restoreFailed(let error) where error.isNetworkOff:
            "Restore failed. \(strings.line(error))"
        case .restoreFailed(let error):
            "Restore failed; what came back so far stays. \(strings.line(error))"
        case .downloaded(let name): "Downloaded \(name)."
        case .content(let operation, let name): announcement(of: operation, name)
        case .updateCancelled(let name, let version):
            "Update of \(name) cancelled; version \(version) stays."
        case .downloadFailed(let name, let error):
            "\(name): \(strings.downloadMessage(for: error).line)"
        case .roomMade(let name, packages: 0, _): "Nothing could be removed for \(name)."
        case .roomMade(let name, let packages, let bytes):
            "Removed \(count(packages, "download")) (\(Measures.bytes(bytes))) for \(name)."
        case .downloadWaits(let name, let obstacle): "\(name): \(self.text(obstacle, strings))"
        case .setting(let setting, let settings): announcement(of: setting, settings)
        case .updatesFound(let name, let update, 1):
            "\(name): version \(update.offeredVersion) is available, \(Measures.bytes(update.length))."
        case .updatesFound(let name, _, let count):
            "Newer versions are available of \(name) and \(count - 1) more: see the library."
        case .updatingAll(let products):
            "Downloading the newer content of \(count(products, "product"))."
        case .downloadFaults(let faults) where faults.isEmpty:
            self.text(Refusal.noDownloadFaults, strings)
        case .downloadFaults(let faults): "Downloads on this device: \(list(faults))."
        case .approved(let item): "Approved and bought: \(strings.item(item))."
        case .declined(let item): "Declined, not charged: \(strings.item(item))."
        case .revised(let item, .refunded, let taken, let grant) where taken != .all:
            "Refunded: \(strings.part(taken, of: item, granting: grant))."
        case .revised(let item, let kind, _, _): revised(strings.item(item), kind)
        case .deleted(let name): "Removed from your purchases: \(name)."
        case .clockSet(let clock, let before, let now): self.clock(clock, before, now, strings)
        case .clockSetBack(let seconds):
            "This computer's clock was set back by \(strings.roughly(seconds: seconds)). "
                + "The store's time runs on."
        case .overdue(let since): self.text(ConsoleText.overdue(since: strings.instant(since)))
        case .askToBuy(true): "Ask to Buy is on: purchases wait for approval."
        case .askToBuy(false): "Ask to Buy is off."
        case .payments(true): "Payments are on for your account."
        case .payments(false): "Payments are off for your account."
        case .performed(let outcome): strings.done(outcome)
        case .priceChanged(let name): "The price of \(name) has changed. Check it again."
        case .catalogRevised: "The catalog has changed."
        case .catalogRefused(let problem):
            "The edited catalog has an error; still using the last good one. \(problem)"
        case .catalogNotice(let notice): notice
        case .trouble(let error): strings.line(error)
        case .refused(let reason): self.text(reason, strings)
        case .tookOver: "This shop delivers from now on."
        case .reopened(.serverAnswers):
            "The store's server answers again. This is the store as it is now."
        case .reopened(.replaced):
            "The store's files were replaced or removed; you weren't charged. This is the store "
                + "that is there now."
        case .settings(let text): self.text(text)
        case .outbox(.sentTo(address: nil)): sentNowhere(key: strings.key(.setAddress))
        case .outbox(let text): self.text(text)
        case .notWatching: "Files cannot be watched here; checking each second instead."
        case .signedIn(let account?): "Signed in to the App Store as \(account)."
        case .signedIn(nil):
            "Signed out of the App Store. You keep what you own; buying asks for the account."
        case .networkCutsNext:
            "The network is on until the store has recorded the next purchase, and then goes off."
        case .networkDelay(let delay): delayed(delay, strings)
        case .network(let isOn): network(isOn)
        case .pointer(true): "Mouse on. Press \(strings.key(.mouse)) to turn it off."
        case .customerChanged(let account, let device): "Now \(account) on \(device)."
        case .pointer(false): "Mouse off: the terminal selects text again."
        case .packageOpened(let title, let left): opened(title, left)
        case .accessEnded(let name):
            "\(name) is closed: your plan has ended. Its files stay; subscribe again or buy it."
        case .copied(let what): copied(what)
        case .notCopied(let what, let clipboard): notCopied(what, clipboard)
        }
    }

    private static func held(_ payment: PastPayment, _ strings: Strings) -> String {
        "Not sent, not charged: \(strings.item(payment)), asked for at "
            + "\(strings.time(payment.queuedAt)). \(strings.key(.continuePurchase)) sends it, "
            + "\(strings.key(.dropPurchase)) drops it."
    }

    private static func promoted(_ name: String, _ strings: Strings) -> String {
        "You began to buy \(name) outside the app: \(strings.key(.continuePurchase)) "
            + "continues, \(strings.key(.dropPurchase)) drops it."
    }

    private static func sentNowhere(key: String) -> String {
        "Notifications are sent nowhere. \(key) sets an address."
    }

    private static func network(_ isOn: Bool) -> String {
        isOn
            ? "Online again. What was missed arrives now."
            : "Offline. Nothing reaches the store until the network is on again."
    }

    private static func delayed(_ milliseconds: Int64?, _ strings: Strings) -> String {
        guard let milliseconds else { return "The store answers at once again." }
        return "The network is slow: each answer takes "
            + "\(strings.roughly(seconds: (milliseconds + 999) / 1000)) longer."
    }

    private static func autoRenew(_ name: String, _ isOn: Bool, _ until: String?) -> String {
        isOn
            ? "\(name) renews" + (until.map { " \($0)." } ?? " again.") + " You weren't charged."
            : "\(name) will not renew." + (until.map { " You keep it until \($0)." } ?? "")
    }

    private static func opened(_ title: String, _ left: Balance?) -> String {
        left.map { "Opened \"\(title)\". You have \($0.amount) \($0.unit) left." }
            ?? "\"\(title)\" was open already. Nothing was spent."
    }

    private static func pending(_ name: String, _ reason: RequestReason) -> String {
        switch reason {
        case .askToBuy: "Waiting for approval: \(name). You haven't been charged."
        case .authentication: "Waiting for the bank: \(name). You haven't been charged."
        case .interrupted: "\(name): finish it on the product's page. You haven't been charged."
        }
    }

    static func bought(_ purchase: Bought, _ strings: Strings) -> String {
        let item = strings.items(purchase.quantity, purchase.name)
        let price = purchase.price.map { "for \(strings.price($0))." }
        return purchase.isUnasked
            ? "Arrived: \(item)" + (price.map { ", bought \($0)" } ?? ".")
            : "Bought \(item)" + (price.map { " \($0)" } ?? ".")
    }

    static func receipt(_ purchase: Bought, _ strings: Strings) -> String {
        let receipt = "Transaction \(purchase.transaction), verified."
        return switch purchase.content {
        case .none: receipt
        case .downloading: receipt + " Downloading."
        case .downloaded: receipt + " Downloaded."
        case .waiting(let obstacle): receipt + " " + text(obstacle, strings)
        }
    }

    private static func text(
        _ obstacle: DownloadObstacle, _ strings: Strings
    ) -> String {
        switch obstacle {
        case .consent(let bytes):
            "It waits for you: the connection is metered, and it has \(Measures.bytes(bytes)). "
                + press(strings.key(.download)) + "."
        case .room(let figures):
            "It waits for you: the disk is full"
                + (figures.map { " (it needs \(Measures.bytes($0.needed)))" } ?? "")
                + ". " + press(strings.key(.download)) + "."
        case .network: "It waits until this device is online again."
        }
    }

    private static func restored(_ count: Int, hasMore: Bool) -> String {
        switch count {
        case 1...: "Restored \(self.count(count, "purchase"))."
        default: hasMore ? "There is nothing new to restore." : "There is nothing to restore."
        }
    }

    private static func notRestored(_ unverified: Int, leavesConsumables: Bool) -> String {
        (unverified > 0 ? " \(unverified) could not be verified and unlocked nothing." : "")
            + (leavesConsumables ? " Consumables, such as coins, don't come back." : "")
    }

    private static func notDownloaded(_ count: Int, _ key: String) -> String {
        switch count {
        case ..<1: ""
        case 1: " The content of 1 is not downloaded: \(press(key, inside: true)) on it."
        default:
            " The content of \(count) is not downloaded: \(press(key, inside: true)) on one."
        }
    }

    private static func revised(_ name: String, _ kind: RevisionKind) -> String {
        switch kind {
        case .refunded: "Refunded: \(name). It is no longer yours."
        case .revoked: "Revoked: \(name). It is no longer yours."
        case .refundReversed: "The refund of \(name) was reversed; it is yours again."
        case .expiryMoved: "The end of \(name) was moved."
        case .upgraded: "\(name) ended with your change of plan; the rest was refunded."
        case .tokenSet: "The app has noted whose \(name) is."
        }
    }

    private static func clock(
        _ clock: ClockState, _ before: ClockState?, _ now: Timestamp, _ strings: Strings
    ) -> String {
        if let moved = strings.clockMoved(from: before, to: clock, at: now) {
            return text(EventText.clockMovedMessage(moved))
        }
        return switch clock {
        case .stopped(let at): "The store's clock is stopped at \(strings.instant(at))."
        case .running: "The store's clock is now \(strings.instant(now))."
        }
    }

    private static func copied(_ what: Copied) -> String {
        switch what {
        case .identifier(let text): "Copied \(text), if your terminal allows it."
        case .signedText(let id, _):
            "Copied the signed text of transaction \(id), if your terminal allows it."
        case .passage: "Copied the paragraphs in sight, if your terminal allows it."
        case .receipt: "Copied the signed receipt, if the terminal lets programs copy."
        }
    }

    private static func notCopied(_ what: Copied, _ clipboard: Clipboard) -> String {
        if clipboard == .tmux {
            let missing = "tmux did not take the text (tmux load-buffer)."
            return switch what {
            case .identifier(let text): "\(missing) The identifier is \(text)"
            case .signedText(let id, _):
                "\(missing) It is printed by: storefront transactions --id \(id) --json"
            case .passage: missing
            case .receipt: "\(missing) It is printed by: storefront receipt show --signed"
            }
        }
        return switch what {
        case .identifier(let text): "This terminal can't copy. The identifier is \(text)"
        case .signedText(let id, _):
            "This terminal can't copy a text of this length. It is printed by: "
                + "storefront transactions --id \(id) --json"
        case .passage: "This terminal can't copy."
        case .receipt:
            "This terminal has no clipboard for the receipt. Use storefront receipt show --signed."
        }
    }

    static func text(_ reason: Refusal, _ strings: Strings) -> String {
        switch reason {
        case .operatorOnly(let account):
            "Only the store's operator may do this, and not account \"\(account)\"."
        case .stillOpening: "The store is still opening."
        case .keysAreLatin: "The shop's keys are Latin letters: change the keyboard to them."
        case .paymentsNotAllowed: "Payments are off for your account. You weren't charged."
        case .alreadyOwned(let name): "You already own \(name). You weren't charged."
        case .locked(let name): "\(name) unlocks this. You weren't charged."
        case .alreadyWaiting(let name): "You've already asked for \(name). You weren't charged."
        case .alreadyPurchasing(let name): "You are already buying \(name)."
        case .alreadyYourPlan(let name): "\(name) is your plan already. You weren't charged."
        case .alreadyPlanned(let name, let from):
            "You change to \(name) on \(strings.day(from)) already. You weren't charged."
        case .noSubscription: "You have no subscription yet."
        case .groupTaken(let plan):
            "You already have \(plan); one plan at a time. You weren't charged."
        case .ownedElsewhere(let name):
            "You already own \(name). \(press(strings.key(.restore))) to restore it."
        case .noProductSelected: "No product is selected."
        case .noSuchProduct(let id, let nearest?):
            "There is no product \"\(id)\" here. Did you mean \"\(nearest)\"?"
        case .noSuchProduct(let id, nil):
            "There is no product \"\(id)\" here. The list without a search shows all."
        case .noTransaction(nil): "No purchase is selected."
        case .noTransaction(let name?): "There is no purchase of \(name)."
        case .noSubscriptionSelected: "No subscription is selected."
        case .nothingDownloading: "Nothing to download here."
        case .nothingToCancel: "No download to cancel."
        case .noContentHere: "Nothing to remove here."
        case .updatesUnknown:
            "This device is offline and can't know of newer versions. Nothing was changed; try again "
                + "with the network on."
        case .nothingToUpdate: "Everything on this device is up to date."
        case .downloadIsPast: "The download is past this byte already."
        case .noDownloadFaults: "Nothing goes wrong with downloads on this device."
        case .alreadyRestoring: "Already restoring."
        case .nothingWaiting: "No request is waiting."
        case .noRequestSelected:
            strings.isLinear
                ? "Say which request: approve 1, or decline 1."
                : "Select a request first: Up and Down, then \(strings.key(.approve)) or "
                    + "\(strings.key(.decline))."
        case .noFaults: "No failures are set."
        case .logTooLong: "Only a list loaded to its end can be sorted. End goes there; / filters."
        case .nothingHeld: "No purchase is held on this device."
        case .alreadyRefunded(let id):
            "Transaction \(id) was refunded in full before. \(strings.key(.actions)) has the line "
                + "that reverses the refund."
        case .notReachable: "Give http, this machine and a port, as http://127.0.0.1:3000/path."
        case .inShell(let command): "In a shell: \(command)"
        case .onCommandLine: "Host it with: storefront content host FILE"
        case .nothingDue: "Nothing is due on the store's clock."
        case .nothingToCopy: "There is nothing to copy here."
        case .nothingToClaim:
            "Select a sale of coins or the like that another device of yours has not finished."
        case .noConsole: "This shop was opened for a customer; it has no console."
        }
    }
}

// MARK: - In few words

extension English {
    static func short(_ text: StatusText, _ strings: Strings) -> String? {
        let (proceed, drop) = (strings.key(.continuePurchase), strings.key(.dropPurchase))
        let (download, network) = (strings.key(.download), strings.key(.network))
        return switch text {
        case .held(let payment):
            "Not sent: \(proceed) sends, \(drop) drops "
                + "\(strings.items(payment.quantity, payment.name))."
        case .promoted(let name):
            "\(proceed) continues, \(drop) drops \(name), begun outside the app."
        case .restored(let count, _, _, toDownload: 1..., _):
            (count > 0 ? "Restored \(count)." : "Nothing new.") + " \(download) downloads one."
        case .downloadWaits(let name, .consent): "Metered: \(download) downloads \(name)."
        case .downloadWaits(let name, .room): "Disk full: \(download) continues \(name)."
        case .bought(let purchase) where purchase.content.waitsForPerson:
            "Bought; \(download) downloads \(purchase.name)."
        case .subscription(let event, let name, _):
            short(event, name, key: strings.key(.subscription))
        case .outbox(.sentTo(address: nil)):
            "Sent nowhere. \(strings.key(.setAddress)) sets an address."
        case .refused(.ownedElsewhere(let name)):
            "Owned: \(strings.key(.restore)) restores \(name)."
        case .refused(.noRequestSelected):
            "Select a request, then \(strings.key(.approve)) or \(strings.key(.decline))."
        case .network(isOn: false): "Offline. Nothing reaches the store."
        case .failed(_, let error) where error.isCutNetwork:
            "Offline, not charged. \(network) connects."
        case .restoreFailed(let error) where error.isCutNetwork:
            "Offline, no restore. \(network) connects."
        case .trouble(let error) where error.isCutNetwork:
            "Offline. \(network) turns the network on."
        case .failed(let item, let error) where error.code == .storeUnreachable:
            "Not charged: the server is away. \(strings.item(item))"
        case .restoreFailed(let error) where error.code == .storeUnreachable:
            "Not restored: the server is away."
        case .trouble(let error) where error.code == .storeUnreachable:
            "The server is away; asked again."
        case .refused(.alreadyRefunded): "Refunded before. \(strings.key(.actions)) reverses it."
        case .refused(.logTooLong): "End loads all to sort; / filters."
        default: nil
        }
    }

    private static func short(_ event: SubscriptionEvent, _ name: String, key: String) -> String? {
        switch event.kind {
        case .billingFailed, .graceBegan, .graceEnded, .billingRetryBegan, .billingRetryFailed:
            "Not paid: \(key) shows what to do about \(name)."
        case .priceIncreaseAsked: "New price: \(key) answers it for \(name)."
        case .priceIncreaseNotified: "New price: \(key) shows it for \(name)."
        default: nil
        }
    }
}
