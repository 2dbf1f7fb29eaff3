import ArgumentParser
import ShopCore
import StoreDevice
import StoreCatalog
import StoreModel

struct Purse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What consumables have added up to on this device.",
        discussion: """
            Every delivered consumable counts once, in the same write as its delivery. Consumables \
            stay where they were bought: each device has a purse of its own.

            EXAMPLES
              storefront purse
              storefront purse --device tablet --json
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await reporting(json: options.json) {
            let device = try await options.open().device()
            let balances = try await device.balances()
            for error in device.alteredRecords { Output.error(error.message.line) }
            for balance in balances {
                if options.json {
                    try Output.json(balance)
                } else {
                    Output.line("\(balance.amount)  \(ForeignText.clean(balance.unit))")
                }
            }
            if balances.isEmpty { Output.note("Nothing in it yet.") }
        }
    }
}
