import ArgumentParser
import Foundation
import ShopText
import StoreEngine
import StoreModel

struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "The store's clock: purchases, expiry, renewals and dates go by it.",
        discussion: """
            It runs with the system's until it is stopped or moved, and only moves forward. What is \
            due by then has happened when a command returns.

            EXAMPLES
              storefront operator clock
              storefront operator clock stop
              storefront operator clock advance 1mo
              storefront operator clock to 2027-01-31T10:00:00Z
              storefront operator clock next
            """,
        subcommands: [
            ShowClock.self, StopClock.self, ResumeClock.self, AdvanceClock.self, MoveClock.self,
            NextOnClock.self,
        ], defaultSubcommand: ShowClock.self)
}

struct ShowClock: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "What time it is in the store.")

    @OptionGroup var given: OperatorOptions

    func run(in store: OpenStore) async throws {
        await store.recordDueOfAll()
        let reading = try await store.console.clock()
        if options.json {
            return try Output.json(
                [
                    "now": reading.now, "clock": reading.state.fields,
                    "renewals": reading.renewals,
                    "systemBehindMilliseconds": reading.systemBehindMilliseconds,
                    "next": reading.next,
                ] as JSONFields)
        }
        let strings = Output.strings
        Output.line(
            .clockIs(date: strings.date(reading.now), isStopped: reading.state.isStopped))
        if let next = reading.next {
            Output.line(
                .nextOnClock(
                    date: strings.date(next.at), next.kind, product: next.productID.rawValue,
                    account: next.account.rawValue, isDue: next.at <= reading.now))
        }
    }
}

struct StopClock: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Let store time stand still.")
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .clock(.stop) }
}

struct ResumeClock: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let store time run on from where it stands.")
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .clock(.resume) }
}

struct NextOnClock: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Move the clock to the next step of a subscription.")
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .clock(.next) }
}

struct AdvanceClock: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance", abstract: "Move the clock forward: 90s, 5m, 2h, 32d, 1w, 1mo, 1y.")
    /// Exactly one step. `allUnrecognized` takes a step backwards, `-1d`, too, which the parser
    /// would otherwise read as an option; then it would say that no step was given.
    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("How far.", valueName: "step"))
    var steps: [String]
    @OptionGroup var given: ActionOptions

    private var step: ClockStep? { steps.count == 1 ? ClockStep(steps[0]) : nil }

    func validate() throws {
        guard step != nil else {
            let found = steps.joined(separator: " ")
            if DateArgument.instant(found) != nil {
                throw ValidationError(
                    "'\(found)' is a date. To move the clock to it: "
                        + "storefront operator clock to \(found)")
            }
            throw ValidationError("A step is 90s, 5m, 2h, 32d, 1w, 1mo or 1y, found '\(found)'.")
        }
    }

    func action(for _: AccountName) -> OperatorAction? { step.map { .clock(.advance($0)) } }
}

struct MoveClock: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "to", abstract: "Move the clock forward to a date (ISO 8601).")
    @Argument(
        help: ArgumentHelp(
            "2027-01-31 in your time zone, or 2027-01-31T10:00:00Z.", valueName: "date"))
    var date: String
    @OptionGroup var given: ActionOptions

    private var instant: Timestamp? { DateArgument.instant(date) }

    func validate() throws {
        guard instant != nil else {
            throw ValidationError(
                "A date is 2027-01-31 or 2027-01-31T10:00:00Z, found '\(date)'.")
        }
        guard let instant, instant >= .earliest, instant <= .lastSettable else {
            throw ValidationError("The clock goes from 2000 to 2099-12-31, found '\(date)'.")
        }
    }

    func action(for _: AccountName) -> OperatorAction? { instant.map { .clock(.to($0)) } }
}
