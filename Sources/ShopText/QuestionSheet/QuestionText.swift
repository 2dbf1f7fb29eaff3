package import StoreModel

/// The questions before something is deleted, cancelled, paid or given up.
package enum QuestionText: Hashable, Sendable {
    case signInQuestion, signInToBuyQuestion(name: String)
    case signInNote(account: String, environment: String), refundReasonLine(RefundReason)
    case meteredQuestion(name: String, size: String), meteredNote
    case fetchQuestion(name: String, size: String), fetchNote
    /// `needed` and `free` are nil if they are unknown.
    case makeRoomQuestion(name: String, needed: String?, free: String?)
    /// `removable` is nil if no other content can be removed.
    case makeRoomNote(removable: String?)
    case withdrawQuestion(name: String), withdrawNote, refundQuestion(name: String), refundNote
    case stopRenewingQuestion(name: String), stopRenewingNote(day: String?)
    case declinePriceQuestion(name: String), declinePriceNote(day: String?)
    case payNowQuestion(name: String, price: String?), payNowNote, expireQuestion(name: String)
    case expireNote, cancelDownloadQuestion(name: String), cancelDownloadNote
    case deleteQuestion(name: String), deleteNote, renewQuestion(name: String), renewNote
    case moveClockQuestion(to: String), moveClockNote, cutNetworkQuestion, cutNetworkNote
    case signOutQuestion, signOutNote
    case resetQuestion(isDemo: Bool), resetNote(isDemo: Bool)
}
