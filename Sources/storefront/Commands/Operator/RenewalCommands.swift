import ArgumentParser
import StoreModel

struct AutoRenew: ActionWords {
    static let configuration = CommandConfiguration(
        commandName: "auto-renew",
        abstract: "Turn auto-renew of a subscription on or off.",
        discussion: """
            Any transaction of the subscription names it. Off, it ends with its current period.

            EXAMPLE
              storefront operator auto-renew off 1000007
            """)
    @Argument(help: "on or off") var state: Switch
    @OptionGroup var transaction: TransactionArgument

    func actions(for _: AccountName, _: some StoreOperator) -> [OperatorAction] {
        [.setAutoRenew(transaction.id, state == .on)]
    }
}

struct Renewals: ActionWords {
    static let configuration = CommandConfiguration(
        commandName: "renewals",
        abstract: "How quickly subscriptions bought from now on renew, and how often.",
        discussion: """
            The rate changes how long a period lasts, never what time it is. An accelerated \
            subscription ends after 12 renewals unless a limit is set.

            RATES
              \(RenewalRate.allCases.map(\.name).joined(separator: "\n  "))

            EXAMPLES
              storefront operator renewals --rate monthlyRenewalEveryThirtySeconds
              storefront operator renewals --rate realTime --limit none
            """)
    @Option(help: ArgumentHelp("A rate above, or Xcode's number for it.", valueName: "rate"))
    var rate: String?
    @Option(help: ArgumentHelp("Renewals of one run at most, or none.", valueName: "number"))
    var limit: String?

    func validate() throws {
        guard rate != nil || limit != nil else {
            throw ValidationError("Give --rate, --limit or both.")
        }
        if let rate, RenewalRate(rate) == nil {
            throw UnknownWord.error("rate", rate, among: RenewalRate.allCases.map(\.name))
        }
        if let limit, limit != "none", Int(limit).map({ (0...1_000).contains($0) }) != true {
            throw ValidationError("--limit is from 0 to 1000, or none, found \(limit).")
        }
    }

    func actions(for _: AccountName, _: some StoreOperator) -> [OperatorAction] {
        let most = limit.flatMap { text -> RenewalsChange.Limit? in
            text == "none" ? RenewalsChange.Limit.none : Int(text).map { .count($0) }
        }
        return [.setRenewals(RenewalsChange(rate: rate.flatMap { RenewalRate($0) }, limit: most))]
    }
}
