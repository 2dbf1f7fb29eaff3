import StoreModel

/// The payments that apps ask to have confirmed, as one row of `meta`.
extension DeviceRecords {
    private static let askedName = "asked"

    /// Oldest first.
    func askedPayments() throws -> [AskedPayment] {
        try value(Self.askedName, as: [AskedPayment].self) ?? []
    }

    /// Forgets the payments of apps that have ended.
    func ask(_ payment: Payment, besides isAsked: (PaymentID) -> Bool) throws {
        let others = try askedPayments().filter { isAsked($0.payment.id) }
        try set(Self.askedName, others + [AskedPayment(payment: payment)])
    }

    func answer(_ id: PaymentID, _ answer: AskedPayment.Answer) throws {
        var asked = try askedPayments()
        guard let index = asked.firstIndex(where: { $0.payment.id == id }) else { return }
        asked[index].answer = answer
        try set(Self.askedName, asked)
    }

    /// - Returns: the answer; nil if there was none.
    func endAsking(_ id: PaymentID) throws -> AskedPayment.Answer? {
        var asked = try askedPayments()
        guard let index = asked.firstIndex(where: { $0.payment.id == id }) else { return nil }
        let answer = asked.remove(at: index).answer
        try set(Self.askedName, asked)
        return answer
    }
}
