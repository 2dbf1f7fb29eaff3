import ArgumentParser
import CursesTerminal
import Foundation
package import StoreEngine

/// The program `storefront`, which its executables run.
package enum StorefrontProgram {
    /// Runs the command of the command line and ends the process, or returns.
    ///
    /// - Parameter databases: opens stores in databases; nil for stores in folders only.
    @MainActor package static func main(databases: (any StoreDatabases)? = nil) async {
        ProgramDatabases.current = databases
        await StorefrontCommand.main()
    }
}

struct StorefrontCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storefront",
        abstract: "An App Store in a terminal: a real, embedded store that sells.",
        discussion: """
            Every command works on one store, made on first use. Nothing is fetched, no money \
            moves; what is sold is kept, signed and can be verified by any backend.

            EXAMPLES
              storefront products                   what is for sale
              storefront buy lantern.coins.10       buy, deliver, finish
              storefront operator ask-to-buy on     from now on purchases wait
              storefront buy lantern.theme.sepia    exit code 10: pending
              storefront operator approve --all     the organizer says yes
              storefront restore --device tablet    purchases on another device
              storefront transactions --signed      signed, for a backend

            EXIT CODES
              0 purchased or done   10 pending   11 cancelled   12 failed   13 not verified
              14 sold, but not complete yet   64 usage   65 bad catalog   69 store unavailable
              74 output lost
            """,
        version: "storefront \(programVersion)",
        groupedSubcommands: [
            CommandGroup(
                name: "Shop", subcommands: [Shop.self, Demo.self, Screenshot.self]),
            CommandGroup(
                name: "Buying",
                subcommands: [
                    Products.self, Buy.self, Restore.self, Offers.self, Redeem.self,
                    PromotedCommand.self, Requests.self, QueuedPayments.self, Finish.self,
                    Claim.self, RequestRefund.self,
                ]),
            CommandGroup(
                name: "Owning",
                subcommands: [
                    Entitlements.self, Transactions.self, Subscriptions.self, Issues.self,
                    Purse.self, Unlocks.self, History.self, Watch.self,
                ]),
            CommandGroup(
                name: "Content", subcommands: [Downloads.self, ContentCommands.self]),
            CommandGroup(
                name: "Account",
                subcommands: [
                    SignIn.self, SignOut.self, FamilyCommand.self, Values.self,
                    DeviceCommands.self,
                ]),
            CommandGroup(
                name: "Proof",
                subcommands: [
                    ReceiptCommands.self, Verify.self, Certificate.self, Trials.self,
                ]),
            CommandGroup(
                name: "Backend",
                subcommands: [
                    Serve.self, Listen.self, TriggerCommand.self, NotificationCommands.self,
                ]),
            CommandGroup(
                name: "Store",
                subcommands: [
                    Operator.self, StoreCommands.self, CatalogCommands.self, ConfigCommands.self,
                    Paths.self,
                    ManualCommand.self,
                ]),
        ],
        defaultSubcommand: Shop.self)

    @MainActor static func main() async {
        ProcessStart.prepare()
        let given = Array(CommandLine.arguments.dropFirst())
        ProcessNames.findInFiles()
        let arguments = ArgumentOrder.globalsLast(given, of: Self.self)
        if let message = ArgumentOrder.refusal(of: arguments, by: Self.self) {
            end(with: ValidationError(message))
        }
        do {
            var command = try parsed(arguments)
            // Only the screen's loop may get the signals: block them before a thread inherits the
            // mask.
            let screen: ScreenOptions? =
                (command as? Shop).flatMap { $0.options.json ? nil : $0.screen }
                ?? (command as? Demo)?.screen
            if let screen, ShopProgram.hasTerminal, !ShopProgram.isLinear(screen) {
                ProcessSignals.prepare()
            }
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let mistake as ValidationError {
                end(with: mistake, of: type(of: command))
            }
        } catch {
            end(with: error)
        }
    }

    /// As the parser reads them. Where it does not understand them, a subcommand that is near to one
    /// is told with that one.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        do { return try parseAsRoot(arguments) } catch {
            guard exitCode(for: error) == Exit.usage,
                let message = ArgumentOrder.slip(in: arguments, of: Self.self)
            else { throw error }
            throw ValidationError(message)
        }
    }

    /// As `exit(withError:)`, but without control characters, and the whole text; about a mistake
    /// that a command has found itself, with that command's usage instead of the program's.
    private static func end(
        with error: any Error, of command: (any ParsableCommand.Type)? = nil
    ) -> Never {
        let code = exitCode(for: error)
        var text = fullMessage(for: error)
        if let command {
            let usage = usageString(for: command)
            let words = usage.split(separator: " ").prefix { word in
                !["[", "<", "-"].contains { word.hasPrefix($0) }
            }
            text = """
                Error: \(message(for: error))
                Usage: \(usage)
                  See '\(words.joined(separator: " ")) --help' for more information.
                """
        }
        if !text.isEmpty {
            if code.isSuccess { Output.line(text) } else { Output.notes(text) }
        }
        Foundation.exit(code.isSuccess && Output.isLost ? Exit.outputLost.rawValue : code.rawValue)
    }
}

/// The version at the top of CHANGELOG.md.
let programVersion = "0.1.0"
