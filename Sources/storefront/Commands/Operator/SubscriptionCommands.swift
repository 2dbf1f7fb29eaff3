import ArgumentParser
import Foundation
import StoreModel

extension Operator {
    static let ofSubscriptions: [any ParsableCommand.Type] = [
        AutoRenew.self, RenewSubscription.self, ExpireSubscription.self, ResolveBilling.self,
        PriceIncreaseWords.self, RaisePrice.self, ExtendSubscription.self, ExtendAll.self,
        CancelSubscription.self,
    ]
}

struct ExpireSubscription: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire",
        abstract: "End a subscription now.",
        discussion: """
            Any transaction of the subscription names it. A next period that was charged ahead \
            is given back.

            EXAMPLE
              storefront operator expire 1000007
            """)
    @OptionGroup var transaction: TransactionArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .expire(transaction.id) }
}

struct RenewSubscription: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Renew a subscription now: its period ends and the next begins.",
        discussion: """
            Auto-renew that was off is on again. A subscription that has been charged for its next \
            period already, up to a day before that begins, stays as it is. A period that begins at \
            this very instant cannot end: move the clock first.
            """)
    @OptionGroup var transaction: TransactionArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .renew(transaction.id) }
}

struct ResolveBilling: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve-billing",
        abstract: "Pay the renewal of a subscription whose payment failed.",
        discussion: """
            Before the grace period is over the subscription keeps its dates. Later, a new period \
            begins now.
            """)
    @OptionGroup var transaction: TransactionArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .resolveBilling(transaction.id) }
}

struct PriceIncreaseWords: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "price-increase",
        abstract: "Ask for consent to a higher price, tell of one, or answer.",
        discussion: """
            The price is the catalog's; as in Xcode, one can ask whether it is higher or not. A \
            subscriber who was asked and has not consented when the period ends does not renew. An \
            increase below the App Store's limit needs no consent: notify tells of it, and the \
            status says agreed (priceIncreaseStatus 1).

            Where the catalog's price has risen, the store does this by itself: it shows the rise \
            from 10 days before the renewal, and asks for consent a day before if the price rises \
            by more than half and more than $5 ($50 a year), or twice within a year. A price that \
            rises again after that is told anew. With "preserveCurrentPrice" a catalog lets \
            subscribers keep their price; raise-price raises it without a new file.

            EXAMPLES
              storefront operator price-increase ask 1000007
              storefront operator price-increase consent 1000007
              storefront operator price-increase notify 1000007
            """)
    @Argument(help: "ask, consent, decline or notify") var step: PriceIncreaseStep
    @OptionGroup var transaction: TransactionArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .priceIncrease(transaction.id, step) }
}

extension PriceIncreaseStep: ExpressibleByArgument {}

struct RaisePrice: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "raise-price",
        abstract: "Raise the price of a plan, for all subscribers or for new ones.",
        discussion: """
            In every territory, until the catalog's file is changed. Those who subscribe are told \
            before they pay it, and asked where the App Store asks (see price-increase); with \
            --keep-price they keep their price.

            EXAMPLE
              storefront operator raise-price lantern.membership.plus.month --percent 10 --keep-price
            """)
    @Argument(help: ArgumentHelp("The product's id.", valueName: "product")) var product: String
    @Option(help: "1 to 1000.") var percent: Int
    @Flag(help: "Those who subscribe keep their price.") var keepPrice = false
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? {
        .raisePrice(ProductID(product), percent: percent, keepsPrice: keepPrice)
    }
}

struct ExtendSubscription: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: "Move the renewal date of a subscription by 1 to 90 days.")
    @Argument(help: "1 to 90.") var days: Int
    @OptionGroup var transaction: TransactionArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .extend(transaction.id, days: days) }
}

struct ExtendAll: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "extend-all",
        abstract: "Move the renewal dates of all active subscribers of a product.",
        discussion: """
            It works page by page. If it is interrupted, the same --request-id again extends those \
            that are left, nobody twice, and nobody who subscribed since its first use (App Store \
            Server API: requestIdentifier). Without one, each command is a request of its own, \
            whose id it says if it fails half-way.

            EXAMPLE
              storefront operator extend-all 3 lantern.membership.plus.month --request-id $(uuidgen)
            """)
    @Argument(help: "1 to 90.") var days: Int
    @Argument(help: ArgumentHelp("The product's id.", valueName: "product")) var product: String
    @Option(help: ArgumentHelp("What the extension is known by (a UUID).", valueName: "uuid"))
    var requestID: String?
    @OptionGroup var given: ActionOptions

    func validate() throws {
        try UUIDArgument.validate(requestID, of: "--request-id")
    }

    func action(for _: AccountName) -> OperatorAction? {
        .extendAll(ProductID(product), days: days, id: requestID.flatMap { UUID(uuidString: $0) })
    }
}

struct CancelSubscription: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "Refund a subscription's period and end it, as customer service does.",
        aliases: ["cancel"])
    @OptionGroup var transaction: TransactionArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .cancelSubscription(transaction.id) }
}
