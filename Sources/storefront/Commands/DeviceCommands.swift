import ArgumentParser
import ShopText
import StoreDevice
import StoreModel

struct DeviceCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "What this device does for the app beside buying.",
        subcommands: [Backend.self])

    struct Backend: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "backend",
            abstract: "Set the app's own backend, which is told of every transaction.",
            discussion: """
                Each verified transaction, also a renewal or a refund, is reported by POST \
                ADDRESS/apple/transactions once this device has recorded it, in order and at least \
                once; a new backend first gets what is here already. GET \
                ADDRESS/products?account=NAME may answer with the products that the shop and \
                storefront products list. Nothing waits for a backend that fails. \
                Documentation/backend.md has every request and answer.

                EXAMPLES
                  storefront device backend http://127.0.0.1:3000
                  storefront device backend
                  storefront device backend off
                """)

        @Argument(
            help: ArgumentHelp(
                "http, a numeric address of this machine and a port; or off (else it is shown).",
                valueName: "address|off"))
        var wanted: String?
        @Flag(help: "Allow another machine's address: what is sent can be read on the way.")
        var elsewhere = false

        @OptionGroup var given: CustomerOptions

        private static let off = "off"

        /// Nil to remove it.
        private var backend: AppBackend? {
            wanted.flatMap { AppBackend($0, isElsewhere: elsewhere) }
        }

        func validate() throws {
            guard let wanted, wanted != Self.off else {
                guard elsewhere else { return }
                throw ValidationError("--elsewhere is about an address: give one.")
            }
            guard backend == nil else { return }
            throw ValidationError(
                "'\(wanted)' is no address to report to. Give http, a numeric address of this "
                    + "machine or localhost, and its port (else 80), such as "
                    + "http://127.0.0.1:3000. To reach https, run a forwarder on this machine; for "
                    + "a numeric address of another one give --elsewhere.")
        }

        func run(in store: OpenStore) async throws {
            let device =
                wanted == nil ? try await store.deviceToRead() : try await store.device()
            if wanted != nil { try await device.setBackend(backend) }
            let reports = try await device.reports()
            try write(
                json: [
                    "account": store.account, "device": store.deviceName,
                    "backend": JSONNull(reports.backend?.address),
                    "isElsewhere": reports.backend.map(\.isElsewhere),
                    "waiting": reports.waiting, "failures": reports.failures,
                ] as JSONFields
            ) {
                Output.line(
                    .reportsTo(address: reports.backend?.address, waiting: reports.waiting))
                for failure in reports.failures {
                    Output.note(Output.strings.message(for: failure).line)
                }
            }
        }
    }
}
