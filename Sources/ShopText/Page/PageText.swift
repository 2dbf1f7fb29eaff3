/// A product's page: its buttons, and its state in a sentence.
package enum PageText: Hashable, Sendable {
    case storeIsDeciding, waitingForApprovalLine(mayUseConsole: Bool)
    case waitingForBankLine(mayUseConsole: Bool), interruptedLine, downloadIsPaused
    case theDownloadFailed, ownedNotDownloadedLine, ownedAndRestored, ownedLine, ownedAndDownloaded
    case ownedElsewhereLine, renewsLine(day: String, price: String), passUntilLine(day: String)
    case subscriptionEndsLine(day: String), subscriptionNeverEnds, otherPlanLine(name: String)
    case otherPlanUntilLine(name: String, day: String), type, content, offers
    case family, familyCanShare, issuesHeading, issueHere, issueNotDownloaded, issueNotIncluded
    case issueWithPurchase, purchaseHeading, includedHeading, boughtFact, activity
    case boughtOn(device: String, when: String), verifiedTransaction(String)
    /// `day` is nil for access without an end.
    case closedLine, includedLine(name: String, day: String?), alreadyUnlockedLine(name: String)
    case progressOf(received: String, total: String), timeLeft(String)
    case noData(seconds: Int)
}
