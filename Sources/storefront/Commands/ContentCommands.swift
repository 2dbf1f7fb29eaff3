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
            Open.self, Remove.self, Space.self, Serve.self,
        ])

    struct List: ListCommand {
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

        func items(in store: OpenStore) async throws -> [DownloadText.Item] {
            let device = try await store.deviceToRead()
            return try await device.items(
                of: device.downloads().filter { $0.installedVersion != nil })
        }

        func none(in _: OpenStore) -> String? { Output.strings[DownloadLineText.noContentHere] }

        func columns(of _: [DownloadText.Item], in _: OpenStore) -> [Column<DownloadText.Item>] {
            DownloadText.installedColumns
        }

        func line(_ item: DownloadText.Item) -> any Encodable {
            item.download.installedFields(path: item.path)
        }
    }

    struct Path: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "path",
            abstract: "Print where a product's content lies on this device.",
            discussion: """
                One line for each package: a folder with ContentInfo.plist, and the files in \
                Contents; of content that is part of the app, the folder of its files. What costs \
                something is left out until it is opened (content open). Exit code 12 where none \
                is on this device; with --fetch what was removed comes back first. \
                `content path` and `downloads path` are one command.

                EXAMPLE
                  less "$(storefront content path lantern.book.lighthouse.1)"/Contents/01-the-boat.txt
                """)
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String
        @Flag(help: "Download what is not on this device first.")
        var fetch = false

        @OptionGroup var given: DownloadingOptions

        var readsDevice: Bool { !fetch }

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            let product = ProductID(identifier)
            if fetch, try await device.contentFiles(of: product).isEmpty {
                let watcher = DeviceWatcher(device, remarksOf: store)
                try await store.launchToDeliver(device)
                try await device.resumeDownloads(of: product)
                guard try await Downloads.ask(product, on: device) != false,
                    try await Downloads.follow(product, on: device, of: store, watcher) == .complete
                else { throw Exit.failed }
            }
            var isHere = false
            for download in try await device.downloads() where download.productID == product {
                guard
                    let path = try await device.contentPath(
                        of: product, contentID: download.contentID)
                else { continue }
                isHere = true
                try write(json: download.installedFields(path: path)) {
                    Output.line(UntrustedText.clean(path))
                }
            }
            let known = try await device.products([product]).value.products.first
            for package in known?.embeddedContent ?? [] {
                guard
                    let path = try await device.contentPath(of: product, contentID: package.id)
                else { continue }
                isHere = true
                try write(
                    json: ["productId": product, "contentId": package.id, "path": path]
                        as JSONFields
                ) { Output.line(UntrustedText.clean(path)) }
            }
            guard isHere else { throw StoreError(.downloadNotFound, productID: product) }
        }
    }

    struct Open: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract: "Spend what opening a package of a product costs.",
            discussion: """
                Once on each device: a package that is open already costs nothing more. Refused \
                where less is in the purse. With --json what is left in the purse, or wasOpen.

                EXAMPLE
                  storefront content open lantern.book.fieldguide anchorage
                """)
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String
        @Argument(help: ArgumentHelp("The package.", valueName: "package")) var package: String

        @OptionGroup var given: CustomerOptions

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            try await device.takeInChanges()
            let product = ProductID(identifier)
            let files = try await device.contentFiles(of: product)
            guard let file = files.first(where: { $0.contentID == package }) else {
                throw StoreError(.contentUnavailable, productID: product, subject: package)
            }
            guard let cost = file.cost,
                let left = try await device.open(package, of: product, for: cost)
            else {
                return try write(
                    json: ["productId": product, "contentId": package, "wasOpen": true]
                        as JSONFields
                ) { Output.line(.contentOpenAlready(package: UntrustedText.clean(package))) }
            }
            try write(json: left) {
                Output.line(
                    .spentLine(
                        Int64(cost.amount), unit: UntrustedText.clean(cost.unit), left: left.amount)
                )
            }
        }
    }

    struct Remove: DownloadChange {
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

        static let operation = ContentOperation.deleteContent
        var package: String? { nil }
    }

    struct Space: StoreCommand {
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

        var readsDevice: Bool { free == nil }

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            if let free {
                Downloads.note(removed: try await device.freeContent(bytes: free), options)
            }
            let space = try await device.contentSpace()
            try write(json: space) { Output.line(.spaceLine(space)) }
        }
    }
}
