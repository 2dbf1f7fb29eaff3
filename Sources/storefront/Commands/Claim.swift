import ArgumentParser
import ShopText
import StoreDevice
import StoreModel

struct Claim: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Take over an unfinished consumable another device bought.",
        discussion: """
            A consumable belongs to the device that bought it until it is finished. Where that device \
            will not come back, another one of the account claims it, delivers and finishes it; what \
            the first may have granted is taken back when it learns of that. \
            storefront transactions --unfinished names the devices.

            EXAMPLE
              storefront claim 1000003 --device tablet
            """)

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var given: DownloadingOptions

    func run() async throws {
        let id = transaction.id
        try await reporting(options) {
            let store = try await options.open()
            let device = try await store.device()
            let watcher = DeviceWatcher(device, remarksOf: store)
            try await store.launchToDeliver(device)
            try await device.claim(id)
            // The claim is recorded. An error of the delivery is reported beside it, as
            // `deliveryError`.
            var line = ClaimLine(transactionId: id, device: store.deviceName)
            do {
                let unverified = try await store.waitUntilIdle(device, watcher)
                if let reason = unverified.first(where: { $0.id == id })?.reason {
                    line.deliveryError = StoreError(
                        .verificationFailed, transactionID: id, subject: "transaction",
                        found: reason.rawValue)
                }
            } catch let error as StoreError { line.deliveryError = error }
            await watcher.end()
            await device.writeReceipt()
            let failed = line.deliveryError.flatMap {
                $0.code == .verificationFailed ? Exit.notVerified : nil
            }
            if options.json {
                try Output.json(line)
                if let failed { throw failed }
                return
            }
            Output.line(
                .claimedLine(transaction: id.description, device: store.deviceName.rawValue))
            guard let error = line.deliveryError else { return }
            Output.note(
                .notDeliveredLine(cause: Output.strings.message(for: error).happened))
            if let failed { throw failed }
        }
    }
}

private struct ClaimLine: Encodable {
    var claimed = true
    var transactionId: TransactionID
    var device: DeviceName
    var deliveryError: StoreError?
}
