import ArgumentParser
import ShopText
import StoreModel

struct AutoRenew: ActionCommand {
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
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? {
        .setAutoRenew(transaction.id, state == .on)
    }
}

struct Renewals: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "renewals",
        abstract: "Show or set how subscriptions renew: rate, limits, failing payments.",
        discussion: """
            Without an option, prints the settings as they are.

            The rate changes how long a period lasts, never what time it is, and holds for \
            subscriptions bought from now on. An accelerated subscription ends after 12 renewals \
            unless a limit is set.

            The store charges up to 24 hours before a period ends. With --billing fail it cannot: \
            access continues through the grace period, if there is one, and charging is tried again \
            for 60 days. All these times are scaled with the rate.

            RATES
              \(RenewalRate.allCases.map(\.name).joined(separator: "\n  "))

            EXAMPLES
              storefront operator renewals
              storefront operator renewals --rate monthlyRenewalEveryThirtySeconds
              storefront operator renewals --rate realTime --limit none
              storefront operator renewals --limit endless --limit-per-day 6
              storefront operator renewals --billing fail --grace on
            """)
    @Option(help: ArgumentHelp("A rate above, or Xcode's number for it.", valueName: "rate"))
    var rate: String?
    @Option(
        help: ArgumentHelp(
            "Renewals of one run at most; none for the rate's own, or endless.",
            valueName: "number"))
    var limit: String?
    @Option(help: ArgumentHelp("Renewals in 24 hours at most, or none.", valueName: "number"))
    var limitPerDay: String?
    @Option(help: "Whether payments for renewals fail or succeed.") var billing: Billing?
    @Option(help: "Whether there is a grace period after a failed renewal.") var grace: Switch?

    /// Whether renewals succeed or fail.
    enum Billing: String, ExpressibleByArgument, CaseIterable { case fail, succeed }

    @OptionGroup var given: ActionOptions

    func validate() throws {
        if let rate, RenewalRate(rate) == nil {
            throw UnknownWord.error("rate", rate, among: RenewalRate.allCases.map(\.name))
        }
        if let limit, limit != "endless", Self.limit(limit) == nil {
            throw ValidationError(
                "--limit is from 0 to 1000, none or endless, found \(limit).")
        }
        if let limitPerDay, Self.limit(limitPerDay) == nil {
            throw ValidationError(
                "--limit-per-day is from 0 to 1000, or none, found \(limitPerDay).")
        }
    }

    private static func limit(_ text: String) -> RenewalsChange.Limit? {
        if text == "none" { return RenewalsChange.Limit.none }
        return Int(text).flatMap { (0...1_000).contains($0) ? .count($0) : nil }
    }

    func action(for _: AccountName) -> OperatorAction? {
        guard rate != nil || limit != nil || limitPerDay != nil || billing != nil || grace != nil
        else { return nil }
        return .setRenewals(
            RenewalsChange(
                rate: rate.flatMap { RenewalRate($0) },
                limit: limit.flatMap { $0 == "endless" ? .endless : Self.limit($0) },
                limitPerDay: limitPerDay.flatMap { Self.limit($0) },
                failsBilling: billing.map { $0 == .fail },
                hasGracePeriod: grace.map { $0 == .on }))
    }

    func answer(_ console: some StoreOperator, _ options: GlobalOptions) async throws {
        let settings = try await console.clock().renewals
        try write(json: settings.fields) {
            Output.line(.renewalSettings(settings, rate: Output.strings.renewalRate(settings.rate)))
        }
    }
}

extension RenewalSettings {
    /// All settings. A limit that is null is none; `timeRate` is Xcode's number of the rate.
    fileprivate var fields: JSONFields {
        [
            "rate": rate.name, "timeRate": rate.rawValue, "limit": JSONNull(renewalsMax),
            "limitPerDay": JSONNull(limitPerDay), "billing": failsBilling ? "fail" : "succeed",
            "gracePeriod": hasGracePeriod,
        ]
    }
}
