/// Every bound of the engine in one place.
package enum StoreLimits {
    /// Requests decided and committed together, at most.
    static let batchMax = 64
    /// Due items recorded together, at most.
    static let duePageMax = 256
    /// Accounts whose subscriptions are kept from one page of due items to the next, at most.
    static let dueAgainAccountsKept = 10_000
    /// Entries that an action for many accounts returns, at most: one that moves the clock, or extends
    /// all subscriptions. The feed has all of them.
    package static let actionEventsMax = 100
    /// Times a request, or a page of due items, is decided again after a conflict with another
    /// process, before it throws `storeBusy`.
    static let conflictsMax = 64
    /// Entries read from the feed at a time.
    package static let feedPageMax = 256
    /// Entries that a `FeedMark` is made of. Several, because two histories may have one and the same
    /// entry in the same place, such as a `finish` while the clock stands still.
    package static let markedEntries = 8
    /// Rows of one page of history, at most.
    static let historyPageMax = 1_000
    /// Pages of history searched for the outcome of a request, at most.
    static let explainingPagesMax = 20
    /// Bytes of hosted content returned by one call, at most.
    static let contentChunkMax = 1 << 20
    /// Pieces of hosted content returned before the account's right to it is checked again.
    package static let piecesUnasked = 32
    /// Hosted packages whose file lists are cached while they are read.
    static let hostedReadsKept = 16
    /// Signed transactions cached, so that an answer and its event carry the same text.
    static let signaturesKept = 2_048
    /// Accounts whose `appTransactionId` is cached.
    static let accountsKept = 10_000
    /// The epoch of every feed cursor so far; another one means another history (`storeReplaced`).
    static let firstEpoch: Int64 = 1
    /// The first transaction number of a store. Every number has at least seven digits.
    package static let firstTransactionNumber: Int64 = 1_000_001
}
