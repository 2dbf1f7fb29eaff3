import ArgumentParser
import ContentServer
import Foundation
import ShopText
import StoreHost
import StoreModel

extension ContentCommands {
    struct Serve: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Run the app's own server, which hands content out over HTTP.",
            discussion: """
                Serves the packages of products with `ownServer` delivery at the address that the \
                catalog gives them, and all packages below /content/PRODUCT, until it is ended. It \
                hands a package out only to whoever sends the signed transaction or receipt of its \
                purchase: valid, unchanged, of this app, environment, account and device, and \
                neither refunded nor expired. Backends have receipts checked by POST /verifyReceipt. \
                It prints one line where it listens, and listens on this machine alone. \
                Documentation/content-server.md has every request and answer.

                EXAMPLES
                  storefront content serve
                  storefront content serve --port 0 --json
                """)
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The port; 0 for one that is free.", valueName: "number"))
        var port = 8090
        @Option(
            help: ArgumentHelp(
                "The numeric address to listen on. Another than this machine's own lets everybody "
                    + "on the network ask.", valueName: "address"))
        var host = "127.0.0.1"

        @OptionGroup var given: OperatorOptions

        func validate() throws {
            try ServerRun.check(port: port)
        }

        func run(in store: OpenStore) async throws {
            store.makeManifests()
            let content = store.host.contentServerStore
            let products = try await content.servedProducts().filter { !$0.packages.isEmpty }
            let server = try HTTPServer(
                try ContentResponder(store: content, host: host), host: host, port: port)
            let isJSON = options.json
            try await ServerRun.untilSignal(server, over: store.host) { port in
                let address = server.address(at: port)
                if isJSON {
                    try? Output.json(
                        [
                            "address": address, "port": port, "products": products.map(\.id),
                        ] as JSONFields)
                } else {
                    Output.line(.servingLine(address: address, products: products.count))
                }
            }
        }
    }
}
