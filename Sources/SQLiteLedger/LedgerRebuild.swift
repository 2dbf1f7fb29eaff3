import Basics
import DurableFiles
import SQLLedger

/// Fills a ledger of this version from a ledger of an earlier version: copies the entries byte by
/// byte, and computes all other tables from them again.
enum LedgerRebuild {
    static let rebuild = DurableDatabase.Rebuild { work in
        try copyAttachments(work)
        try copyEntries(work)
    }

    /// Entries read, decoded and folded at a time. It bounds the memory for a large store.
    private static let page: Int64 = 1_000

    private static func copyEntries(_ work: DurableDatabase.Rebuild.Work) throws {
        let total = try EntryRows.last(in: work.old)
        var position = try EntryRows.last(in: work.new)
        while position < total {
            let rows = try EntryRows(after: position, limit: page, in: work.old)
            try rows.insert(into: work.new)
            guard let end = rows.last else { return }
            position = end
            try work.tell(done: position, of: total)
        }
    }

    /// One attachment at a time, since a catalog may be large; skips those already copied.
    private static func copyAttachments(_ work: DurableDatabase.Rebuild.Work) throws {
        let known = try Set(AttachmentRow.digests(in: work.new))
        for digest in try AttachmentRow.digests(in: work.old) where !known.contains(digest) {
            guard let body = try AttachmentRow.body(digest, in: work.old) else { continue }
            try AttachmentRow.insert(digest, body, into: work.new)
        }
    }
}
