import StoreModel

extension English {
    static func text(_ text: QuestionText) -> String {
        switch text {
        case .signInQuestion: "Sign in to the App Store?"
        case .signInToBuyQuestion(let name): "Sign in to the App Store to buy \(name)?"
        case .signInNote(let account, let environment):
            "Account: \(account)   Environment: \(environment)"
        case .refundReasonLine(let reason):
            switch reason {
            case .unintended: "Reason: I did not mean to buy it."
            case .broken: "Reason: it does not work, or did not arrive."
            case .unsatisfied: "Reason: it is not what I expected."
            case .other: "Reason: something else."
            }
        case .meteredQuestion(let name, let size):
            "Download \(size) for \(name) on a metered connection?"
        case .meteredNote:
            "Your provider may charge for it. M: the connection is not metered."
        case .fetchQuestion(let name, let size):
            "\(name) was removed from this device. Download \(size) again?"
        case .fetchNote: "It opens as soon as it is here. It costs nothing."
        case .makeRoomQuestion(let name, let needed?, let free?):
            "The disk is full: \(name) needs \(needed), and \(free) is free."
        case .makeRoomQuestion(let name, _, _): "The disk is full. Make room for \(name)?"
        case .makeRoomNote(let removable?):
            "\(removable) of other downloads can be removed, opened longest ago first; you can download "
                + "them again. c cancels this one."
        case .makeRoomNote(nil):
            "No other download can be removed. Make room on the disk, then try again. c cancels this "
                + "one."
        case .sendHeldQuestion(let item): "Send the payment: \(item)?"
        case .sendHeldNote(let time):
            "Asked for at \(time) by a program that ended before its answer. It is charged once."
        case .withdrawQuestion(let name): "Withdraw the request for \(name)?"
        case .withdrawNote: "You haven't been charged, and won't be."
        case .refundQuestion(let name): "Ask for a refund of \(name)?"
        case .refundNote: "The store decides. If it agrees, you lose what it unlocked."
        case .stopRenewingQuestion(let name): "Turn off auto-renew of \(name)?"
        case .stopRenewingNote(let day):
            (day.map { "You keep it until \($0). " } ?? "")
                + "You can turn auto-renew on again before."
        case .declinePriceQuestion(let name): "Decline the new price of \(name)?"
        case .declinePriceNote(let day):
            day.map { "You keep it until \($0); then your subscription ends." }
                ?? "Your subscription ends with its period."
        case .payNowQuestion(let name, let price):
            price.map { "Pay \($0) for \(name) now?" } ?? "Pay for \(name) now?"
        case .payNowNote: "Your access continues from there."
        case .operateQuestion(let action): action + "?"
        case .operateNote(.expire):
            "The period ends at once. Only a next one that was charged ahead is given back."
        case .operateNote(.renew): "The period ends now, and the next one is charged."
        case .operateNote(.delete):
            "It leaves the store, with everything it granted. It can't be brought back."
        case .operateNote: "What was paid is refunded, and what it unlocked can't be used any more."
        case .salesOf(let number, areSubscriptions: true): count(number, "subscription")
        case .salesOf(let number, areSubscriptions: false): count(number, "purchase")
        case .cancelDownloadQuestion(let name): "Cancel the download of \(name)?"
        case .cancelDownloadNote:
            "What was downloaded so far is removed. You can download it again any time."
        case .deleteQuestion(let name): "Remove \(name) from this device?"
        case .deleteNote: "You still own it and can download it again any time."
        case .moveClockQuestion(let instant): "Move the store's clock to \(instant)?"
        case .moveClockNote:
            "What is due by then happens: renewals are charged. A clock can't be set back."
        case .cutNetworkQuestion: "Take this device offline?"
        case .cutNetworkNote(let key):
            "Nothing reaches the store until \(key) turns the network on again."
        case .openPackageQuestion(let title, let price, let balance):
            "Open \"\(title)\" for \(price)? You have \(balance)."
        case .deleteIncludedNote: "You can download it again while a plan opens it."
        case .openPackageNote(let left): "You will have \(left) left. It stays open on this device."
        case .openPackageNeeds(let more): "You need \(more) more. Nothing was spent."
        case .resetQuestion(let isDemo): isDemo ? "Reset the demo?" : "Empty the store?"
        case .resetNote(isDemo: true): "It begins again; what you did in it is removed."
        case .resetNote(isDemo: false):
            "All sales and accounts are removed, and all devices with their downloads. The catalog "
                + "and the keys stay."
        case .signOutQuestion: "Sign out of the App Store?"
        case .signOutNote: "You keep what is on this device. Buying and restoring need an account."
        }
    }
}
