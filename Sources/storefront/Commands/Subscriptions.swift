import ArgumentParser
import Foundation
import ShopText
import StoreDevice
import StoreEngine
import StoreModel

struct Subscriptions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the account's subscriptions: state, next renewal, problems.",
        discussion: """
            What the store answers is signed and verified on the device. With --timeline it is \
            followed by what happened to each subscription, and when it was active.

            EXAMPLES
              storefront subscriptions
              storefront subscriptions --timeline
              storefront subscriptions --json
            """)

    @Flag(help: "Also what happened to each, oldest first.") var timeline = false

    @OptionGroup var given: CustomerOptions
    var options: GlobalOptions { given.all }

    func run() async throws {
        try await reporting(options) {
            let store = try await options.open()
            let subscriptions = try await store.device().subscriptions()
            let history = timeline || options.json ? try await history(store) : []
            let timelines = subscriptions.map { subscription in
                SubscriptionTimeline(
                    history, of: subscription.chain ?? TransactionID(0))
            }
            guard !options.json else {
                for (subscription, line) in zip(subscriptions, timelines) {
                    try Output.json(SubscriptionLine(subscription, active: line.active))
                }
                return
            }
            Output.note(.noSubscriptions, ifEmpty: subscriptions, json: false)
            let ids =
                subscriptions.flatMap { [$0.product, $0.next] }.compactMap { $0 }
                + timelines.flatMap { $0.items.map(\.productID) }
            let names = try await ProductNames(ids, in: store)
            var table = TextTable([
                .init(.columnProduct), .init(.columnTransaction), .init(.columnState),
                .init(.columnDetail),
            ])
            table.write(
                subscriptions.map { subscription in
                    [
                        subscription.product.map { names.item($0) } ?? "",
                        subscription.chain?.description ?? "",
                        Output.strings[.subscriptionState(subscription.status.state)],
                        subscription.detail(names),
                    ]
                })
            for subscription in subscriptions {
                guard let problem = subscription.status.problem, let id = subscription.chain else {
                    continue
                }
                Output.line(.subscriptionProblem(problem, transaction: id.description))
            }
            if timeline { for line in timelines { line.write(names) } }
            try await store.noteOverdue()
        }
    }

    /// What happened to the account's subscriptions, oldest first.
    private func history(_ store: OpenStore) async throws(StoreError) -> [PastEvent] {
        let filter = HistoryFilter(kinds: SubscriptionTimeline.kinds)
        var events: [PastEvent] = []
        var next: FeedCursor?
        repeat {
            let page = try await store.session.events(before: next, filter: filter, limit: 500)
            events += page.events
            next = page.next
        } while next != nil
        return events.reversed()
    }
}

extension VerifiedSubscription {
    /// The verified renewal info; nil where it is not verified.
    private var info: RenewalInfoPayload? { try? renewalInfo.get() }

    fileprivate var chain: TransactionID? { info?.originalTransactionId }
    fileprivate var product: ProductID? { info?.productId }
    /// The product it renews as.
    fileprivate var next: ProductID? { info?.autoRenewProductId }

    /// "renews on Dec 22 for $4.99"
    fileprivate func detail(_ names: ProductNames) -> String {
        let strings = Output.strings
        if case .failure(let error) = renewalInfo {
            return strings[.notVerified(reason: error.rawValue)]
        }
        if case .failure(let error) = transaction {
            return strings[.notVerified(reason: error.rawValue)]
        }
        guard let info else { return "" }
        switch status.state {
        case .expired:
            return strings[
                .subscriptionEnded(info.expirationIntent.flatMap { ExpirationReason(rawValue: $0) })
            ]
        case .revoked: return ""
        case .inGracePeriod:
            return info.gracePeriodExpiresDate.map {
                strings[.subscriptionEnds(date: strings.date($0))]
            } ?? ""
        case .inBillingRetryPeriod, .subscribed:
            guard let renewal = info.renewalDate else {
                let end = (try? transaction.get())?.expiresDate
                return end.map { strings[.subscriptionEnds(date: strings.date($0))] } ?? ""
            }
            let price = info.renewalPrice.flatMap { price in
                info.currency.map {
                    strings.price(
                        Price(money: Money(milliunits: price, currency: $0), locale: "en_US"))
                }
            }
            return strings[
                .subscriptionRenews(
                    date: strings.date(renewal), price: price,
                    product: info.autoRenewProductId == info.productId
                        ? nil : names.item(info.autoRenewProductId))]
        }
    }
}

extension SubscriptionTimeline {
    /// A line for each thing that happened, and for each time it was active.
    fileprivate func write(_ names: ProductNames) {
        let strings = Output.strings
        Output.line("")
        for item in items {
            let parts = [
                strings.date(item.at), names.item(item.productID), strings[.timeline(item.what)],
                item.until.map { strings[.timelineUntil(strings.date($0))] } ?? "",
                item.money.map { strings.price(Price(money: $0, locale: "en_US")) } ?? "",
            ]
            Output.line(parts.filter { !$0.isEmpty }.joined(separator: "  "))
        }
        for interval in active {
            Output.line(
                .activeFromUntil(strings.date(interval.from), strings.date(interval.until)))
        }
    }
}

/// A subscription in JSON: Apple's names, and what the device says of its texts.
private struct SubscriptionLine: Encodable {
    var subscriptionGroupIdentifier: SubscriptionGroupID
    /// StoreKit's name of the state.
    var state: String
    /// Apple's number of the state.
    var status: Int
    var problem: SubscriptionProblem?
    /// Both texts are verified.
    var verification: String
    var verificationError: VerificationError?
    var renewalInfo: RenewalInfoPayload?
    var transaction: TransactionPayload?
    var signedTransactionInfo: SignedTransaction
    var signedRenewalInfo: SignedRenewalInfo
    /// When it was active.
    var active: [SubscriptionTimeline.Interval]

    init(_ subscription: VerifiedSubscription, active: [SubscriptionTimeline.Interval]) {
        let status = subscription.status
        subscriptionGroupIdentifier = status.groupID
        state = status.state.name
        self.status = status.state.rawValue
        problem = status.problem
        signedTransactionInfo = status.transaction
        signedRenewalInfo = status.renewalInfo
        if case .failure(let error) = subscription.transaction { verificationError = error }
        if case .failure(let error) = subscription.renewalInfo { verificationError = error }
        verification = verificationError == nil ? "verified" : "unverified"
        renewalInfo = try? subscription.renewalInfo.get()
        transaction = try? subscription.transaction.get()
        self.active = active
    }
}
