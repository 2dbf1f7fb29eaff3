import ArgumentParser
import Basics
import Foundation
import ShopText
import StoreDevice
import StoreModel

struct Purse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purse",
        abstract: "What consumables add up to on this device, less what was spent.",
        discussion: """
            Every delivered consumable counts once, in the same write as its delivery. Consumables \
            stay where they were bought: each device has a purse of its own. What is refunded is \
            taken out again, also when it was spent: a purse may stand below zero, and nothing is \
            spent from it then.

            EXAMPLES
              storefront purse
              storefront purse spend coins 10 --for "a hint"
            """,
        subcommands: [ListPurse.self, SpendFromPurse.self], defaultSubcommand: ListPurse.self)
}

struct ListPurse: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "What is in each purse of this device.")

    @OptionGroup var given: CustomerOptions

    var readsDevice: Bool { true }

    func run(in store: OpenStore) async throws {
        let balances = try await balances(in: store)
        for balance in balances {
            try write(json: balance) {
                Output.line("\(balance.amount)  \(UntrustedText.clean(balance.unit))")
            }
        }
        if balances.isEmpty, !options.json { Output.note(.purseEmpty) }
        await noteUndelivered(in: store)
    }

    /// Notes refunds that may not be in them yet, and records of the device that were altered.
    private func balances(in store: OpenStore) async throws(StoreError) -> [Balance] {
        let device: Device
        do throws(StoreError) { device = try await store.deviceToRead() } catch {
            // A device that was never registered cannot be opened here, and has no balance.
            if error.code == .storeReadOnly { return [] }
            throw error
        }
        do throws(StoreError) { try await device.takeInChanges() } catch {
            guard error.code == .storeReadOnly else { throw error }
            Output.note(.purseNotCurrent)
        }
        let balances = try await device.balances()
        for error in device.alteredRecords {
            Output.error(Output.strings.message(for: error).line)
        }
        return balances
    }
}

struct SpendFromPurse: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "spend",
        abstract: "Use up part of a purse, as the app does with what it sold.",
        discussion: """
            Once by its id: the same command with the same --id changes nothing the second time. \
            Refused where less is in the purse.

            EXAMPLES
              storefront purse spend coins 10 --for "a hint"
              storefront purse spend coins 10 --for "a hint" --id "$(uuidgen)"
            """)

    @Argument(help: ArgumentHelp("The purse, such as coins.", valueName: "unit")) var unit: String
    @Argument(help: ArgumentHelp("How much.", valueName: "amount")) var amount: Int64
    @Option(name: .customLong("for"), help: ArgumentHelp("What for.", valueName: "text"))
    var reason: String
    @Option(help: ArgumentHelp("The spend's own id (else a new one).", valueName: "uuid"))
    var id: String?

    @OptionGroup var given: CustomerOptions

    func validate() throws {
        guard Spend.amounts.contains(amount) else {
            throw ValidationError("The amount is a number from 1, found \(amount).")
        }
        try UUIDArgument.validate(id, of: "--id")
        guard reason.utf8.count <= 1_000 else {
            throw ValidationError("--for takes 1000 bytes at most.")
        }
    }

    func run(in store: OpenStore) async throws {
        let device = try await store.device()
        try await device.takeInChanges()
        let spend = Spend(
            id: id.flatMap { UUID(uuidString: $0) } ?? UUID(), unit: unit, amount: amount,
            reason: reason)
        let left = try await device.spend(spend)
        try write(json: ["spend": spend, "balance": left.amount] as JSONFields) {
            Output.line(.spentLine(amount, unit: UntrustedText.clean(unit), left: left.amount))
        }
    }
}
