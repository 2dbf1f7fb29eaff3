import StoreModel

extension English {
    static func text(_ text: TrialsText) -> String {
        switch text {
        case .trialsTitle: "Trials"
        case .allAreas: "all areas"
        case .trialsSeen(let seen, let count): "\(seen) of \(count) seen"
        case .readingTrials: "Reading the history..."
        case .noTrials: "There are no trials here."
        case .seen: "seen"
        case .notSeen: "not seen"
        case .eventNumber(let number): "event \(number)"
        case .logNumber(let number): "log \(number)"
        case .catalogLacks(let need): "This catalog sells no \(noun(need))."
        case .trialHow: "How"
        case .trialCommands: "Commands"
        case .trialSeenBy: "Seen by"
        case .trialEvidence: "Evidence"
        case .trialSigned: "Signed"
        case .reportTitle(let app): "Trials of \(app)"
        case .reportStore(let environment, let date): "\(environment), \(date) in the store"
        case .reportWritten(let path): "Wrote \(path)."
        case .trialsReset(isSent: false):
            "Trials count anew from when this device reaches the store again."
        case .trialsReset(isSent: true):
            "Trials count anew from now on. What was bought stays, and so does the history."
        case .trialsInvalid(let path, let errors):
            "\(path) is no list of trials: \(count(errors, "error")). Nothing was ticked by it. Correct "
                + "it, then try again."
        }
    }

    private static func noun(_ need: TrialNeed) -> String {
        switch need {
        case .consumable: "consumable"
        case .nonConsumable: "non-consumable"
        case .nonRenewing: "non-renewing subscription"
        case .autoRenewable: "auto-renewable subscription"
        case .freeSubscription: "free subscription"
        case .shortPeriod: "subscription that renews within a month"
        case .higherLevel, .lowerLevel: "subscription in two levels"
        case .freeTrial: "subscription with a free trial"
        case .payAsYouGo: "subscription with a lower price for its first periods"
        case .offerCode: "subscription with an offer code"
        case .noCharge: "non-consumable at no charge"
        case .hosted: "non-consumable with hosted content"
        case .familyShareable: "product that a family can share"
        }
    }
}
