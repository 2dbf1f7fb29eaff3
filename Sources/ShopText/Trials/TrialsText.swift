package import StoreModel

/// The list of trials: the screen, the command and its reports.
package enum TrialsText: Hashable, Sendable {
    case trialsTitle, allAreas, trialsSeen(Int, of: Int), readingTrials, noTrials
    case seen, notSeen
    /// The position of an event in the ledger, or the number of an entry of the device's log.
    case eventNumber(Int64), logNumber(Int64)
    case catalogLacks(TrialNeed)
    case trialHow, trialCommands, trialSeenBy, trialEvidence, trialSigned
    case reportTitle(app: String), reportStore(environment: String, date: String)
    case reportWritten(path: String), trialsReset(isSent: Bool)
    case trialsInvalid(path: String, errors: Int)
}
