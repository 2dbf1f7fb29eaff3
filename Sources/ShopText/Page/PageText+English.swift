extension English {
    static func text(_ text: PageText) -> String {
        switch text {
        case .storeIsDeciding: "Waiting for the store."
        case .waitingForApprovalLine(let mayUseConsole):
            "Waiting for approval. You haven't been charged."
                + (mayUseConsole ? " Answer it in the console." : "")
        case .waitingForBankLine(let mayUseConsole):
            "Waiting for the bank's confirmation. You haven't been charged."
                + (mayUseConsole ? " Answer it in the console." : "")
        case .interruptedLine:
            "This purchase was interrupted: finish it here. You haven't been charged."
        case .downloadIsPaused: "The download is paused."
        case .theDownloadFailed: "The download failed."
        case .ownedNotDownloadedLine: "Owned. Not downloaded on this device."
        case .ownedAndRestored: "Owned; restored to this device."
        case .ownedLine: "Owned."
        case .ownedAndDownloaded: "Owned and downloaded."
        case .ownedElsewhereLine: "You own this. Restore purchases to use it on this device."
        case .renewsLine(let day, let price): "Your plan. Renews \(day) for \(price)."
        case .passUntilLine(let day): "Yours until \(day). Buy it again to add to its time."
        case .subscriptionEndsLine(let day): "Yours until \(day). Auto-renew is off."
        case .subscriptionNeverEnds: "Yours; it never ends."
        case .otherPlanLine(let name): "You have \(name). You can have one plan at a time."
        case .otherPlanUntilLine(let name, let day):
            "You have \(name) until \(day). You can have one plan at a time."
        case .type: "Type"
        case .content: "Content"
        case .offers: "Offers"
        case .family: "Family"
        case .familyCanShare: "Your family can share it"
        case .issuesHeading: "Issues"
        case .issueHere: "on this device"
        case .issueNotDownloaded: "not downloaded"
        case .issueNotIncluded: "not included"
        case .issueWithPurchase: "comes with the subscription"
        case .purchaseHeading: "Purchase"
        case .includedHeading: "Included"
        case .boughtFact: "Bought"
        case .activity: "Activity"
        case .boughtOn(let device, let when): "\(when) on \(device)"
        case .verifiedTransaction(let id): "\(id), verified"
        case .progressOf(let received, let total): "\(received) of \(total)"
        case .closedLine: "Closed: your plan has ended. The files stay on this device."
        case .includedLine(let name, let day):
            "Open with \(name)" + (day.map { " until \($0)" } ?? "")
                + ". Thank you. Buy it to keep it for good."
        case .alreadyUnlockedLine(let name): "You already have all of this with \(name). Thank you."
        case .noData(let seconds): "no data for \(seconds) s"
        case .timeLeft(let time): "\(time) left"
        }
    }
}
