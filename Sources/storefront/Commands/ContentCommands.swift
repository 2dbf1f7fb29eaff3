import ArgumentParser
import Basics
import ContentPackages
import ShopText
import StoreDevice
import StoreHost
import StoreModel

struct ContentCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Make, check and host packages of content; list what is here.",
        subcommands: [
            Pack.self, Inspect.self, Host.self, Publish.self, Hosted.self, List.self, Path.self,
            Remove.self, Space.self, Serve.self,
        ])

    struct List: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the content that is on this device.",
            discussion: """
                Each package in the version that is here; a newer one that is on its way is named \
                beside its state (`update` with --json).

                EXAMPLE
                  storefront content list
                """)

        @OptionGroup var given: CustomerOptions

        func run() async throws {
            try await reporting(options) {
                let device = try await options.open().deviceToRead()
                let downloads = try await device.downloads().filter { $0.installedVersion != nil }
                Output.note(.noContentHere, ifEmpty: downloads, json: options.json)
                var rows: [[String]] = []
                for download in downloads {
                    let path = try await device.contentPath(
                        of: download.productID, contentID: download.contentID)
                    guard !options.json else {
                        try Output.json(InstalledLine(download: download, path: path))
                        continue
                    }
                    rows.append(DownloadText.installedCells(download, path: path))
                }
                var table = TextTable(DownloadText.columns)
                table.write(rows)
            }
        }
    }

    struct Path: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "path",
            abstract: "Print where a product's content lies on this device.",
            discussion: """
                One line for each package. Exit code 12 where none is on this device; with --fetch \
                what was removed comes back first.

                EXAMPLE
                  less "$(storefront content path lantern.book.lighthouse.1)"/01-the-boat.txt
                """)
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String
        @Flag(help: "Download what is not on this device first.")
        var fetch = false

        @OptionGroup var given: DownloadingOptions

        func run() async throws {
            try await reporting(options) {
                let store = try await options.open()
                let device = try await store.device()
                let product = ProductID(identifier)
                if fetch, try await device.contentFiles(of: product).isEmpty {
                    let watcher = DeviceWatcher(device, remarksOf: store)
                    try await store.launchToDeliver(device)
                    try await device.resumeDownloads(of: product)
                    guard try await Downloads.Resume.ask(product, on: device) != false,
                        try await Downloads.Resume.follow(
                            product, on: device, of: store, watcher, options) == .complete
                    else { throw Exit.failed }
                }
                var isHere = false
                for download in try await device.downloads() where download.productID == product {
                    guard
                        let path = try await device.contentPath(
                            of: product, contentID: download.contentID)
                    else { continue }
                    isHere = true
                    if options.json {
                        try Output.json(InstalledLine(download: download, path: path))
                    } else {
                        Output.line(UntrustedText.clean(path))
                    }
                }
                guard isHere else { throw StoreError(.downloadNotFound, productID: product) }
            }
        }
    }

    struct Remove: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a product's content from this device; it can be fetched again.",
            discussion: """
                It stays yours. `content remove` and `downloads remove` are one command.

                EXAMPLE
                  storefront content remove lantern.book.lighthouse.1
                """,
            aliases: ["delete"])
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String

        @OptionGroup var given: CustomerOptions

        func run() async throws {
            try await Downloads.change(identifier, options, .deletedLine(identifier)) {
                try await $0.deleteContent(of: $1)
            }
        }
    }

    struct Space: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "space",
            abstract: "Print what content takes on this device, or make room.",
            discussion: """
                --free removes what can be fetched again until so many bytes are freed: what was \
                opened longest ago first, and never what is open. It stays yours; opening it, or \
                `downloads resume`, fetches it again.

                EXAMPLES
                  storefront content space
                  storefront content space --free 500000000
                """)
        @Option(help: ArgumentHelp("Remove at least so many bytes.", valueName: "bytes"))
        var free: Int64?

        @OptionGroup var given: CustomerOptions

        func validate() throws {
            guard free.map({ $0 > 0 }) ?? true else {
                throw ValidationError("Give a number of bytes above 0.")
            }
        }

        func run() async throws {
            try await reporting(options) {
                let device = try await options.open().device()
                if let free {
                    for row in try await device.freeContent(bytes: free) where !options.json {
                        Output.note(
                            .contentRemoved(
                                product: row.productID.rawValue,
                                package: "\(row.contentID) \(row.version)",
                                bytes: row.bytesReceived))
                    }
                }
                let space = try await device.contentSpace()
                guard !options.json else { return try Output.json(space) }
                Output.line(.spaceLine(space))
            }
        }
    }
}
