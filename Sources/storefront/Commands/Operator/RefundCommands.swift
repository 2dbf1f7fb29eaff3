import ArgumentParser
import StoreModel

struct Refund: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund",
        abstract: "Refund a purchase, which no device can use any more.",
        discussion: """
            Several refunds of one sale add up to 100 percent at most. Of consumables so much is \
            taken from the purse as was refunded; everything else is revoked by any refund. \
            With a subscription's present period the next one is given back, if it was charged \
            ahead, and nothing renews any more.

            EXAMPLES
              storefront operator refund 1000003
              storefront operator refund 1000003 --percent 50 --reason app
              storefront operator refund 1000007 --prorated
            """)
    @OptionGroup var transaction: TransactionArgument
    @Option(help: ArgumentHelp("How much of the price, 1 to 100.", valueName: "number"))
    var percent: Int?
    @Flag(help: "By a subscription's unused time, rounded down.") var prorated = false
    @Option(help: "Why: app (an issue with the app) or other.") var reason = Reason.other

    /// The reason of a refund: an issue with the app, or another one (StoreKit:
    /// `revocationReason`).
    enum Reason: String, ExpressibleByArgument, CaseIterable { case app, other }

    @OptionGroup var given: ActionOptions

    func validate() throws {
        guard percent == nil || !prorated else {
            throw ValidationError("Give --percent or --prorated, not both.")
        }
        guard percent.map({ (1...100).contains($0) }) ?? true else {
            throw ValidationError("--percent wants 1 to 100.")
        }
    }

    func action(for _: AccountName) -> OperatorAction? {
        let amount = prorated ? RefundAmount.prorated : percent.map { .percent($0) } ?? .rest
        return .refund(transaction.id, amount, reason: reason == .app ? .app : .other)
    }
}

struct Revoke: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a purchase, without returning money.",
        discussion: """
            With a subscription's present period the next one goes, if it was charged ahead: that \
            one's price is given back. Nothing renews any more.
            """)
    @OptionGroup var transaction: TransactionArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .revoke(transaction.id) }
}

struct ReverseRefund: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "reverse-refund",
        abstract: "Undo a refund or a revocation: every device can use it again.")
    @OptionGroup var transaction: TransactionArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .reverseRefund(transaction.id) }
}

struct Delete: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a transaction from history, entitlements, receipt and takings.",
        discussion: """
            For good. Of a subscription only the last period can be deleted, or all of it.
            """)
    @OptionGroup var transaction: TransactionArgument
    @Flag(help: "Every period of the subscription it belongs to.") var wholeChain = false
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? {
        .delete(transaction.id, wholeChain: wholeChain)
    }
}
