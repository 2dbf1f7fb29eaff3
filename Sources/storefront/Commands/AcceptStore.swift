import ShopText
import ArgumentParser
import Foundation
import StoreDevice
import StoreEngine
import StoreHost
import StoreModel

struct AcceptStore: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-store",
        abstract: "Continue with a store that has lost entries its devices have read.",
        discussion: """
            A store restored from an older copy ends before the place its devices have read to, or \
            has sold other things since. Nothing is sold to them then. Accepting it lets every \
            device of this store continue: what was granted stays granted, also for sales the \
            store does not know any more.

            EXAMPLE
              storefront operator accept-store
            """)

    @OptionGroup var given: DeviceOperatorOptions

    func run(in store: OpenStore) async throws {
        var count = 0
        for (device, account) in DeviceFolder.devices(in: store.host.folder) {
            let session = store.engine.session(
                account: account, device: device, locale: store.locale)
            guard
                let accepted = try await Device.acceptStore(
                    session, storeFolder: store.host.folder)
            else { continue }
            count += 1
            try write(
                json: ["device": device, "account": account, "accepted": accepted] as JSONFields
            ) {
                Output.line(
                    .deviceGoesOn(
                        device: device.rawValue, account: account.rawValue,
                        unknownSales: accepted.unknownSales))
            }
        }
        if count == 0 { Output.note(.notBehind) }
    }
}
