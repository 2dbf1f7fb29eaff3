/// Every bound of the store in one place.
package enum StoreLimits {
    /// Requests decided and committed together at most.
    package static let batchMax = 64
    /// Things that happen by themselves and are recorded together at most.
    package static let duePageMax = 256
    /// Events an action that moves the clock answers with at most; the feed tells all of them.
    package static let actionEventsMax = 100
    /// Times a request is decided anew because another process was quicker, before `storeBusy`.
    package static let conflictsMax = 64
    /// Entries read from the feed in one go.
    package static let feedPageMax = 256
    /// Rows of one page of history at most.
    package static let historyPageMax = 1_000
    /// Bytes of hosted content handed out by one call at most.
    package static let contentChunkMax = 1 << 20
    /// Pieces of hosted content handed out before it is asked again whether the account may have it.
    package static let piecesUnasked = 32
    /// Hosted packages whose files are remembered while they are read.
    package static let hostedReadsKept = 16
    /// Signed transactions remembered, so that an answer and its event carry the same text.
    package static let signaturesKept = 2_048
    /// Accounts whose derived numbers are remembered.
    package static let accountsKept = 10_000
    /// The epoch of a store that was never loaded from a save.
    package static let firstEpoch: Int64 = 1
    /// Seven digits, as people know them from the field's own test environments.
    package static let firstTransactionNumber: Int64 = 1_000_001
}
