import ArgumentParser
import ShopText
import StoreEngine
import StoreModel
import StoreSigning

/// One of the operator's actions on the command line; `Words` says which one the arguments name.
struct ActionCommand<Words: ActionWords>: AsyncParsableCommand {
    static var configuration: CommandConfiguration { Words.configuration }
    @OptionGroup var words: Words

    @OptionGroup var given: Words.Options
    var options: GlobalOptions { given.all }

    func run() async throws {
        try await reporting(options) {
            let store = try await options.openForOperator()
            let console = store.console
            let actions = try await words.actions(for: store.account, console)
            var failure: StoreError?
            // Each is carried out, also after one that came to nothing.
            for action in actions {
                let progress = ClockProgress(action, console)
                defer { progress.end() }
                let events = try await console.perform(action)
                if let error = action.failure(in: events) {
                    failure = failure ?? error
                    report(error, of: action)
                } else {
                    try await report(action, events, console)
                }
            }
            if let failure { throw Exit.code(for: failure) }
            if actions.isEmpty { Output.note(.nothingWasWaiting) }
        }
    }

    /// What the store has given back of a sale in all, after a refund.
    private func refunded(_ events: [StoreEvent]) -> Price? {
        for event in events {
            guard case .revised(let issued, .refunded) = event.change,
                let payload = TransactionVerifier.unverifiedPayload(of: issued.signed)
            else { continue }
            let share = payload.revocationPercentage ?? 100_000
            return Price(
                money: Money(
                    milliunits: payload.price * Int64(share) / 100_000,
                    currency: payload.currency), locale: "en_US")
        }
        return nil
    }

    private func report(_ error: StoreError, of action: OperatorAction) {
        let number: TransactionID
        switch action {
        case .approve(let request), .resolve(let request): number = request
        case .decline, .declineRefund, .buyOutside, .promote, .publish, .package, .changeAccount,
            .failNext, .clearFaults, .clearFault, .refund, .revoke, .reverseRefund, .delete, .clock,
            .setRenewals, .setAutoRenew, .family, .expire, .renew, .resolveBilling,
            .priceIncrease, .extend, .extendAll, .cancelSubscription:
            return Output.report(error, json: options.json)
        }
        guard !options.json else { return Output.report(error, json: true) }
        Output.error(
            .requestNotSold(
                request: number.description, reason: Output.strings.message(for: error).line))
    }

    private func report(
        _ action: OperatorAction, _ events: [StoreEvent], _ console: some StoreOperator
    ) async throws {
        var settings: AccountSettings?
        if case .changeAccount(let change) = action {
            settings = try await console.settings(of: change.account)
        }
        var clock: ClockReading?
        if case .clock = action { clock = try await console.clock() }
        guard options.json else {
            return Output.line(
                Output.strings.done(
                    action, events, settings: settings, clock: clock, refunded: refunded(events)))
        }
        switch action {
        case .approve(let number): try Output.json(["approved": number.description])
        case .decline(let number): try Output.json(["declined": number.description])
        case .resolve(let number): try Output.json(["resolved": number.description])
        case .changeAccount: try settings.map { try Output.json($0) }
        case .failNext, .clearFaults:
            for event in events {
                if case .faultSet(let fault) = event.change { try Output.json(fault) }
            }
        case .declineRefund, .buyOutside, .promote, .publish, .package, .clearFault, .refund,
            .revoke,
            .reverseRefund, .delete, .clock, .setRenewals, .setAutoRenew, .family, .expire, .renew,
            .resolveBilling, .priceIncrease, .extend, .extendAll, .cancelSubscription:
            for event in events { try Output.json(OperatorEventLine(event)) }
        }
    }
}

/// The arguments of an action, and what they mean.
protocol ActionWords: ParsableArguments {
    /// The shared options of the command.
    associatedtype Options: CommandOptions = OperatorOptions
    static var configuration: CommandConfiguration { get }
    /// The actions the arguments name, in the order they are carried out.
    func actions(for account: AccountName, _ console: some StoreOperator) async throws
        -> [OperatorAction]
}
