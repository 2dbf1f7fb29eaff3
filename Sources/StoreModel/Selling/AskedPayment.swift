/// A payment that an app asks the person at the shop of its device to confirm. It is neither sent
/// nor queued: the app sends it when it is confirmed.
package struct AskedPayment: Codable, Hashable, Sendable {
    package var payment: Payment
    /// Nil until the shop answers.
    package var answer: Answer?

    /// How the shop has answered.
    package enum Answer: String, Codable, Sendable {
        case confirmed, cancelled
        /// The shop cannot show the product; the app asks somewhere else.
        case passed
    }

    package init(payment: Payment) { self.payment = payment }
}
