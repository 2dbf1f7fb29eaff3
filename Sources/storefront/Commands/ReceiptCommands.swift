import ArgumentParser
import Basics
import ShopText
import StoreDevice
import StoreModel

struct ReceiptCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "The receipt that this device keeps of the account's purchases.",
        discussion: """
            A receipt lists consumables until they are finished, and everything else for good. It is \
            a file in the device's folder (receipt.jws): one JWS of the store's chain, written again \
            after each purchase. Apple's PKCS#7 form is not made.
            """,
        subcommands: [Show.self, Refresh.self, Check.self], defaultSubcommand: Show.self)

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the receipt, or the app transaction.",
            discussion: """
                A device without a receipt gets one from the store first.

                EXAMPLES
                  storefront receipt show --json
                  storefront receipt show --signed > receipt.jws
                """)

        @Flag(help: "The compact JWS alone.")
        var signed = false

        @Flag(help: "The app transaction instead of the receipt.")
        var appTransaction = false

        @OptionGroup var given: CustomerOptions

        var readsDevice: Bool { true }

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            if appTransaction {
                let kept = try await device.appTransaction()
                if signed { return Output.line(kept.signed.rawValue) }
                return try ReceiptText.write(kept, options, of: store)
            }
            var kept = try await device.receipt()
            if kept == nil { kept = try await device.refreshReceipt(ReceiptOptions()) }
            guard let kept else { return }
            if device.network().isOff, case .success(let payload) = kept.verified {
                Output.note(
                    .offlineSince(Output.strings.date(payload.receiptCreationDate)))
            }
            if signed { return Output.line(UntrustedText.clean(kept.signed.rawValue)) }
            try await ReceiptText.write(kept, options, of: store)
        }
    }

    struct Refresh: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "refresh",
            abstract: "Replace the receipt, or the app transaction, by a new one.",
            discussion: """
                Makes no transaction and charges nothing. --expired, --revoked and --volume-purchase \
                ask for a receipt as it is in other circumstances, for trials (StoreKit 1: \
                SKReceiptRefreshRequest); the next purchase replaces it. With --app-transaction the \
                store signs a new app transaction (StoreKit: AppTransaction.refresh()); if that \
                fails, the kept one stays.

                EXAMPLES
                  storefront receipt refresh
                  storefront receipt refresh --expired
                  storefront receipt refresh --app-transaction
                """)

        @Flag(help: "A receipt that has expired.")
        var expired = false

        @Flag(help: "A receipt that was revoked.")
        var revoked = false

        @Flag(help: "The receipt of a volume purchase.")
        var volumePurchase = false

        @Flag(help: "A new app transaction instead of a receipt.")
        var appTransaction = false

        @OptionGroup var given: CustomerOptions

        func validate() throws {
            guard appTransaction, expired || revoked || volumePurchase else { return }
            throw ValidationError(
                "--expired, --revoked and --volume-purchase are of receipts; leave out"
                    + " --app-transaction.")
        }

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            if appTransaction {
                let kept = try await device.refreshAppTransaction()
                guard !options.json, case .success(let payload) = kept.verified else {
                    return try ReceiptText.write(kept, options, of: store)
                }
                return Output.line(.appTransactionRefreshed(number: payload.appTransactionId))
            }
            let kept = try await device.refreshReceipt(
                ReceiptOptions(
                    isExpired: expired, isRevoked: revoked, isVolumePurchase: volumePurchase))
            guard !options.json, case .success(let payload) = kept.verified else {
                return try await ReceiptText.write(kept, options, of: store)
            }
            Output.line(.receiptRefreshed(count: payload.inApp.count))
        }
    }

    struct Check: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Verify the receipt of this device again.",
            discussion: """
                It must be signed by the chain of the root certificate that this device has pinned, \
                for this app, environment and device. A file that is missing is not made.

                EXIT CODES
                  0 verified   13 not verified, or no receipt

                EXAMPLE
                  storefront receipt verify
                """)

        @OptionGroup var given: CustomerOptions

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            guard let kept = try await device.receipt() else {
                if options.json {
                    try Output.json(ReceiptText.verdict(path: nil, reason: nil, isVerified: false))
                } else {
                    Output.error(.receiptMissing)
                }
                throw Exit.notVerified
            }
            try ReceiptText.writeVerdict(kept, options)
        }
    }
}
