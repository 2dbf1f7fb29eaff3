/// An issue of a subscription that has been published, as one account sees it.
package struct PublishedIssue: Codable, Hashable, Sendable {
    /// Unique within the product; its content has the same identifier (`HostedContent.id`).
    package var id: String
    /// Localized; never empty.
    package var title: String
    /// In store time.
    package var date: Timestamp
    /// Whether the account may read the issue, for good: it was published while the account
    /// subscribed, or was the newest issue when the account subscribed.
    package var isOwned: Bool

    package init(id: String, title: String, date: Timestamp, isOwned: Bool) {
        self.id = id
        self.title = title
        self.date = date
        self.isOwned = isOwned
    }
}
