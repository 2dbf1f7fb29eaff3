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
    case sendHeldQuestion(item: String), sendHeldNote(at: String)
    case withdrawQuestion(name: String), withdrawNote, refundQuestion(name: String), refundNote
    case stopRenewingQuestion(name: String), stopRenewingNote(day: String?)
    case declinePriceQuestion(name: String), declinePriceNote(day: String?)
    case payNowQuestion(name: String, price: String?), payNowNote
    /// The sentence of the action, as the palette has it.
    case operateQuestion(String), operateNote(OperatorAction.Kind)
    case salesOf(Int, areSubscriptions: Bool), cancelDownloadQuestion(name: String)
    case cancelDownloadNote, deleteQuestion(name: String), deleteNote
    case moveClockQuestion(to: String), moveClockNote, cutNetworkQuestion
    case cutNetworkNote(key: String)
    case signOutQuestion, signOutNote
    /// Amounts with their unit, such as "5 coins".
    case openPackageQuestion(title: String, price: String, balance: String)
    case deleteIncludedNote, openPackageNote(left: String), openPackageNeeds(more: String)
    case resetQuestion(isDemo: Bool), resetNote(isDemo: Bool)
}
