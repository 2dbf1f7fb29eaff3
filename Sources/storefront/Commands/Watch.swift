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

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count wants at least 1.") }
    }

    func run() async throws {
        try await reporting(options) {
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
                // Told below, with every other change of a download.
                if case .downloadStopped = update { continue }
                try Output.json(UpdateLine(update))
                if case .trouble(let error, ended: true) = update { throw error }
                left -= 1
                if left <= 0 { return }
            }
        }
    }

    private struct Seen: Equatable {
        var state: Download.State
        var error: StoreError?
    }

    /// A line when a download's state changes, or what stands in its way; progress itself is not an
    /// event.
    private func followDownloads(_ device: some ShopDevice) -> Task<Void, Never> {
        Task {
            var known: [String: Seen] = [:]
            for await _ in device.downloadWakes() {
                for download in (try? await device.downloads()) ?? [] {
                    let key = "\(download.productID)/\(download.contentID)"
                    let seen = Seen(state: download.state, error: download.error)
                    guard known.updateValue(seen, forKey: key) != seen else { continue }
                    var line = UpdateLine(event: "download")
                    line.download = download
                    try? Output.json(line)
                }
            }
        }
    }
}
