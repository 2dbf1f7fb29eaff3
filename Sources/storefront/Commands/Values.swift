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
            What the app keeps for its user, such as a theme, a reading place or a progress, as \
            Foundation's NSUbiquitousKeyValueStore does: at most 1 MB and 1024 keys an account, \
            keys of 1 to 64 bytes. Of two changes the one that the store recorded last holds. A \
            change made without a network is sent when the device reaches the store again. The \
            shop keeps the theme here, and the place in each product that was read last.

            EXAMPLES
              storefront values
              storefront values chapter 7
              storefront values chapter --device tablet
              storefront values chapter --remove
            """)

    @Argument(help: "The key (else all).") var key: String?
    @Argument(help: "The new value (else the present one is printed).") var value: String?
    @Flag(help: "Remove the value.") var remove = false

    @OptionGroup var given: CustomerOptions

    func validate() throws {
        guard !remove || (key != nil && value == nil) else {
            throw ValidationError("--remove takes a key and no value.")
        }
    }

    func run(in store: OpenStore) async throws {
        if let key, remove || value != nil {
            let device = try await store.device()
            return try await change(AccountValue(key: key, value: value), on: device)
        }
        let (values, unsent) = try await store.deviceToRead().values()
        for (name, value) in values.sorted(by: { $0.key < $1.key })
        where key == nil || key == name {
            try write(
                json: ["key": name, "value": value, "isSent": !unsent.contains(name)]
                    as JSONFields
            ) {
                let text = UntrustedText.clean(value)
                Output.line(key == nil ? "\(UntrustedText.clean(name))  \(text)" : text)
            }
        }
        guard !options.json else { return }
        if let key, values[key] == nil {
            Output.note(.noValueLine(key: UntrustedText.clean(key)))
        } else if values.isEmpty {
            Output.note(.noValues)
        }
    }

    private func change(_ change: AccountValue, on device: Device) async throws {
        let isSent = try await device.setValue(change)
        try write(
            json: ["key": change.key, "value": change.value, "isSent": isSent] as JSONFields
        ) {
            Output.line(
                .valueLine(
                    key: UntrustedText.clean(change.key), isRemoved: change.value == nil,
                    isSent: isSent))
        }
    }
}
