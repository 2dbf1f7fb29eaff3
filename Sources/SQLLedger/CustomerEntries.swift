/// The entries that an engine records for customers: what they ask for themselves, what falls due in
/// their accounts, and what organizers do for their families. All others are the operator's, or those
/// of the app's backend. A database can refuse them to a customer's role.
package enum CustomerEntries {
    /// The numbers of their facts (column `kind` of `entries`).
    package static let kinds = EntryCoding.Kind.allCases.filter(\.isOfCustomer).map(\.rawValue)

    /// Of the facts that are a customer's only in some cases: the field of the body that holds the
    /// case, and the customer's cases.
    package static let cases: [(kind: Int, field: String, names: [String])] = [
        // Not `outsideApp`.
        (EntryCoding.Kind.sold.rawValue, "cause", ["payment", "renewal", "familyShare"]),
        // Of a change to another plan, and of family shares, which follow what is shared. Not
        // `refunded`, `deleted` and `tokenSet`.
        (
            EntryCoding.Kind.revised.rawValue, "change",
            ["upgraded", "revoked", "refundReversed", "expiryMoved"]
        ),
    ]
}

extension LedgerTable {
    /// Whether entries of customers change rows of the table.
    package var isChangedByCustomers: Bool {
        !["meta", "attachments", "extensions", "outbox"].contains(name)
    }

    /// Whether its rows are only added.
    package var isAppendOnly: Bool { name == "entries" }
}
