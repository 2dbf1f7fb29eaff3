import ArgumentParser
import Basics
import ShopText
import StoreDevice
import StoreModel

/// The account's small values.
struct Values: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "values",
        abstract: "Small values of the app that follow the account to its other devices.",
        discussion: """
            As in Foundation's NSUbiquitousKeyValueStore: at most 1 MB and 1024 keys an account, \
            keys of 1 to 64 bytes. Of two changes the one that the store recorded last holds; one \
            made without a network is sent later. The shop keeps theme and language here, the \
            place read last in each product, and from where trials count. With --json key and \
            value, and isSent of a change.

            EXAMPLES
              storefront values
              storefront values chapter 7
              storefront values chapter ""      # removes it
            """)

    @Argument(help: "The key (else all).") var key: String?
    @Argument(help: "The new value; an empty one removes it.") var value: String?

    @OptionGroup var given: CustomerOptions

    var readsDevice: Bool { true }

    func run(in store: OpenStore) async throws {
        if let key, let value {
            let change = AccountValue(key: key, value: value.isEmpty ? nil : value)
            let isSent = try await store.device().setValue(change)
            return try write(json: JSONFields(change, ["isSent": isSent])) {
                Output.line(.valueChanged(key: UntrustedText.clean(key), isSent: isSent))
            }
        }
        let values = try await store.values()
        let shown = values.filter { key == nil || key == $0.key }.sorted { $0.key < $1.key }
        for (name, value) in shown {
            try write(json: AccountValue(key: name, value: value)) {
                Output.line(UntrustedText.clean(key == nil ? "\(name)  \(value)" : value))
            }
        }
        if shown.isEmpty, !options.json { Output.note(.noValues) }
    }
}
