/// The stages of a product's publication. They do not affect owners: a sold product stays usable
/// and restorable in every state.
package enum PublicationState: String, Codable, Hashable, Sendable, CaseIterable {
    /// The product's data and packages have been uploaded; not for sale.
    case uploaded
    /// Complete, and ready for a review; not for sale.
    case ready
    /// For sale to testers: in every environment but production.
    case inTest
    /// For sale everywhere.
    case approved
}
