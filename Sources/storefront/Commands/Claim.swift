import ArgumentParser
import ShopText
import StoreDevice
import StoreModel

struct Claim: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Claim an unfinished consumable that another device bought.",
        discussion: """
            A consumable belongs to the device that bought it until it is finished. Where that device \
            will not come back, another one of the account claims it, delivers and finishes it; what \
            the first may have granted is revoked when it learns of that. \
            storefront transactions --unfinished names the devices.

            EXAMPLE
              storefront claim 1000003 --device tablet
            """)

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var given: DownloadingOptions

    func run(in store: OpenStore) async throws {
        let id = transaction.id
        let device = try await store.device()
        let watcher = DeviceWatcher(device, remarksOf: store)
        try await store.launchToDeliver(device)
        do throws(StoreError) { try await device.claim(id) } catch {
            // The launch has claimed, delivered and perhaps finished it.
            let isHere = try await device.deliveries().contains {
                $0.transactionID == id && !$0.isVoid
            }
            guard error.code == .transactionNotFound, isHere else { throw error }
        }
        // The claim is recorded, so an error of the delivery is only reported.
        var deliveryError: StoreError?
        do {
            let unverified = try await store.waitUntilIdle(device, watcher)
            if let reason = unverified.first(where: { $0.id == id })?.reason {
                deliveryError = StoreError(
                    .verificationFailed, transactionID: id, subject: "transaction",
                    found: reason.rawValue)
            }
        } catch let error as StoreError { deliveryError = error }
        await watcher.end()
        await device.writeReceipt()
        try write(
            json: [
                "claimed": true, "transactionId": id, "device": store.deviceName,
                "deliveryError": deliveryError,
            ] as JSONFields
        ) {
            Output.line(
                .claimedLine(transaction: id.description, device: store.deviceName.rawValue))
        }
        guard let deliveryError else { return }
        if !options.json {
            Output.note(
                .notDeliveredLine(cause: Output.strings.message(for: deliveryError).happened))
        }
        if deliveryError.code == .verificationFailed { throw Exit.notVerified }
    }
}
