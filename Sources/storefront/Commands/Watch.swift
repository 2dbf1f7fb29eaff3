import ArgumentParser
import StoreDevice
import StoreModel

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Follow the observer's stream, a JSON object a line.",
        discussion: """
            Registers this device's transaction observer and says so in a first line. Then comes \
            what is unfinished, then everything that happens, also in other processes. While it \
            runs it delivers, downloads and finishes for the device, unless another process does \
            already.

            EXAMPLE
              storefront watch | jq --unbuffered .event
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("End after so many updates.", valueName: "number"))
    var count: Int?

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let device = try await store.device()
            let updates = device.updates()
            try await store.launch(device)
            var first = UpdateLine(event: "watching")
            first.device = store.deviceName
            first.delivers = await device.holdsLease
            try Output.json(first)
            let downloads = followDownloads(device)
            defer { downloads.cancel() }
            var left = count ?? Int.max
            for await update in updates {
                try Output.json(UpdateLine(update))
                if case .trouble(let error, ended: true) = update { throw error }
                left -= 1
                if left <= 0 { return }
            }
        }
    }

    /// A line when a download's state changes; progress itself is not an event.
    private func followDownloads(_ device: some ShopDevice) -> Task<Void, Never> {
        Task {
            var known: [String: Download.State] = [:]
            for await _ in device.downloadWakes() {
                for download in (try? await device.downloads()) ?? [] {
                    let key = "\(download.productID)/\(download.contentID)"
                    guard known.updateValue(download.state, forKey: key) != download.state else {
                        continue
                    }
                    var line = UpdateLine(event: "download")
                    line.download = download
                    try? Output.json(line)
                }
            }
        }
    }
}
