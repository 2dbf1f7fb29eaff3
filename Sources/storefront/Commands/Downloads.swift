import ArgumentParser
import StoreDevice
import StoreModel

struct Downloads: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List downloads; pause, resume, cancel or delete them.",
        discussion: """
            EXAMPLES
              storefront downloads
              storefront downloads pause lantern.book.lighthouse.1
              storefront downloads resume lantern.book.lighthouse.1
            """,
        subcommands: [List.self, Pause.self, Resume.self, Cancel.self, Delete.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "What this device has downloaded, and what is on its way.")

        @OptionGroup var options: GlobalOptions

        private struct Line: Encodable {
            var download: Download
            var path: String?
        }

        func run() async throws {
            try await reporting(json: options.json) {
                let device = try await options.open().device()
                let downloads = try await device.downloads()
                Output.note(
                    "Nothing was downloaded on this device.", ifEmpty: downloads,
                    json: options.json)
                for download in downloads {
                    let path = try await device.contentPath(
                        of: download.productID, contentID: download.contentID)
                    if options.json {
                        try Output.json(Line(download: download, path: path))
                    } else {
                        Output.line(Self.text(download, path))
                    }
                }
            }
        }

        private static func text(_ download: Download, _ path: String?) -> String {
            let bytes = "\(download.bytesReceived) of \(download.bytesExpected) bytes"
            let name = "\(download.productID) \(download.contentID) \(download.version)"
            return "\(name)  \(download.state.rawValue)  \(bytes)"
                + (path.map { "  \($0)" } ?? "")
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pause a product's downloads, in whichever process they run.")
        @OptionGroup var options: GlobalOptions
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String

        func run() async throws {
            try await reporting(json: options.json) {
                try await options.open().device().pauseDownloads(of: ProductID(identifier))
                Output.note("Paused \(identifier).")
            }
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resume downloads, or fetch again what was cancelled or deleted.")
        @OptionGroup var options: GlobalOptions
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String
        @Flag(help: "Return at once; downloads go on whenever a device is open.")
        var noWait = false

        func run() async throws {
            try await reporting(json: options.json) {
                let store = try await options.open()
                let device = try await store.device()
                let watcher = DeviceWatcher(device)
                let product = ProductID(identifier)
                if !noWait { try await store.launch(device) }
                try await device.resumeDownloads(of: product)
                guard !noWait else { return }
                try await follow(product, on: device, of: store, watcher)
            }
        }

        private func follow(
            _ product: ProductID, on device: Device, of store: OpenStore,
            _ watcher: DeviceWatcher
        ) async throws {
            let progress = ProgressLine()
            defer { progress.end() }
            for try await _ in watcher.changes() {
                let rows = try await device.downloads().filter { $0.productID == product }
                progress.show(rows)
                if let error = rows.lazy.compactMap(\.error).first { throw error }
                if rows.contains(where: { $0.state == .paused }) { return }
                guard rows.allSatisfy(\.state.isSettled) else { continue }
                // Complete content ends the purchase as well, if that was still open.
                let unfinished = try await store.session.unfinished(allDevices: false)
                let ids = Set(rows.map(\.transactionID))
                if !unfinished.contains(where: { ids.contains($0.id) }) { return }
            }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop a product's downloads and drop the partial files.")
        @OptionGroup var options: GlobalOptions
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String

        func run() async throws {
            try await reporting(json: options.json) {
                try await options.open().device().cancelDownloads(of: ProductID(identifier))
                Output.note("Cancelled \(identifier); it can be downloaded again.")
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete downloaded content; it stays yours and can be fetched again.")
        @OptionGroup var options: GlobalOptions
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String

        func run() async throws {
            try await reporting(json: options.json) {
                try await options.open().device().deleteContent(of: ProductID(identifier))
                Output.note("Deleted the content of \(identifier).")
            }
        }
    }
}
