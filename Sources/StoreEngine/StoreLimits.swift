/// The limits of the engine.
package enum StoreLimits {
    static let batchMax = 64
    static let duePageMax = 256
    /// Kept from one page of due items to the next.
    static let dueAgainAccountsKept = 10_000
    /// The most entries that an action on many accounts returns, such as moving the clock or
    /// extending all subscriptions. The feed has all of them.
    package static let actionEventsMax = 100
    /// How often a request, or a page of due items, is decided again after a conflict with another
    /// process. Then it throws `storeBusy`.
    static let conflictsMax = 64
    package static let feedPageMax = 256
    /// The entries that a `FeedMark` is computed from. One is not enough: two histories may have
    /// the same entry at the same position, such as a `finish` while the clock is stopped.
    package static let markedEntries = 8
    static let historyPageMax = 1_000
    static let explainingPagesMax = 20
    /// The most bytes of hosted content that one call returns: 1 MiB.
    static let contentChunkMax = 1 << 20
    /// Of a package's file in a database: 1 MiB.
    static let packageChunk = 1 << 20
    /// Pieces of hosted content that are returned before the account's right to them is checked
    /// again.
    package static let piecesUnasked = 32
    /// Hosted packages whose file lists are cached while they are read.
    static let hostedReadsKept = 16
    /// Signed transactions cached, so that an answer and its event carry the same text.
    static let signaturesKept = 2_048
    /// Accounts whose `appTransactionId` is cached.
    static let accountsKept = 10_000
    /// Transactions whose answers are kept until the next commit.
    static let readingsKept = 1_024
    /// The epoch of the feed cursors of a store that is no copy. A cursor with another epoch than
    /// the store's belongs to another history (`storeReplaced`).
    package static let firstEpoch: Int64 = 1
    /// The first transaction number of a store. Every number has at least seven digits.
    package static let firstTransactionNumber: Int64 = 1_000_001
}
