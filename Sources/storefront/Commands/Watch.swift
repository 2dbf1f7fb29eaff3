import ArgumentParser
import Foundation
import ShopText
import StoreDevice
import StoreModel

struct Watch: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow the observer's stream.",
        discussion: """
            Registers this device's transaction observer and says so in a first line. Then comes \
            what is unfinished, then everything that happens, also in other processes of the \
            device: a payment that is being sent (purchasing), what a restore brought (restored), \
            and every event of the store. While it \
            runs it delivers, downloads and finishes for the device, and sends payments again whose \
            process has ended, unless another process does already. On a terminal a line for people, elsewhere or with --json a JSON object a line.

            EXAMPLE
              storefront watch | jq --unbuffered .event
            """)

    @Option(help: ArgumentHelp("End after so many updates.", valueName: "number"))
    var count: Int?

    @OptionGroup var given: DownloadingOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count wants at least 1.") }
    }

    func run(in store: OpenStore) async throws {
        let device = try await store.device()
        let updates = device.updates()
        try await store.launch(device)
        store.makeManifests()
        let delivers = await device.holdsLease
        let isForPeople = !options.json && Output.isTerminal
        if isForPeople {
            Output.line(
                .watchingLine(device: store.deviceName.rawValue, delivers: delivers))
        } else {
            try Output.json(
                ["event": "watching", "device": store.deviceName, "delivers": delivers]
                    as JSONFields)
        }
        let notice = isForPeople ? await WatchNotice(store, device) : nil
        let downloads = followDownloads(device, notice)
        defer { downloads.cancel() }
        var left = count ?? Int.max
        for await update in updates {
            // `followDownloads` reports stopped downloads with all other changes of them.
            if case .downloadStopped = update { continue }
            if let notice {
                await notice.write(update)
            } else {
                try Output.json(update.fields)
            }
            if case .trouble(let error, in: _, ended: true) = update { throw error }
            left -= 1
            if left <= 0 { return }
        }
    }

    private struct Seen: Equatable {
        var state: Download.State
        var error: StoreError?
    }

    /// Writes a line when a download's state or its error changes. Received bytes alone write none.
    private func followDownloads(
        _ device: some ShopDevice, _ notice: WatchNotice?
    ) -> Task<Void, Never> {
        Task {
            var known: [String: Seen] = [:]
            for await wake in device.downloadWakes() where wake == .changed {
                for download in (try? await device.downloads()) ?? [] {
                    let key = "\(download.productID)/\(download.contentID)"
                    let seen = Seen(state: download.state, error: download.error)
                    guard known.updateValue(seen, forKey: key) != seen else { continue }
                    if let notice {
                        notice.write(download)
                        continue
                    }
                    try? Output.json(DeviceUpdate.downloadStopped(download).fields)
                }
            }
        }
    }
}
