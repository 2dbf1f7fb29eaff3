import Foundation
import Testing

/// Store time (`StoreClock`) and elapsed time (a Swift `Clock`) are passed in. The test searches
/// the sources for other calls that ask the system for the time.
@Suite struct ClockTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")

    /// The calls and types that ask the system for the time, or sleep.
    private static let asking =
        #"\bDate\(\)|Date\.now|\.Instant\.now|Clock\.now|SuspendingClock|DispatchTime\b"#
        + #"|clock_gettime|gettimeofday|usleep|nanosleep|Task\.sleep|\.now\(\) \+"#
    /// The short form `.now` of such a call, in a file that names `ContinuousClock`.
    private static let askingShort = #"[(: ]\.now([^a-zA-Z(]|$)"#

    /// Each with its reason. A file that no longer asks must leave the table.
    private static let allowed = [
        "StoreModel/Identity/Timestamp.swift": "the system's clock itself (`SystemClock`)",
        "StoreDevice/Network/NetworkTime.swift":
            "the time since the machine started, by which a cut network returns",
        "CursesTerminal/CursesTerminal+Waiting.swift": "timeouts of unfinished keys",
        "CursesTerminal/InputReader.swift": "timeouts of unfinished keys",
        "CursesTerminal/CursesTerminal.swift": "when the terminal was asked what it can do",
        "Basics/FileLock.swift": "a pause on a thread that no `Clock` can make",
        "DurableFiles/PrivateFolder.swift": "a pause on a thread that ends",
        "DurableFiles/DurableDatabase.swift": "the default of an argument that tests set",
        "storefront/Composition/SignalEnd.swift": "a wait on a thread that ends",
        "storefront/Output/Backlog.swift": "a wait on a thread that ends",
        "storefront/Shop/SuspendedDevice.swift": "a wait on a thread that ends",
        "storefront/Shop/LinearLoop.swift": "the patience with an effect before the next prompt",
        // Pauses between two tries, on which no shown or recorded value depends.
        "StoreDevice/BackgroundWork.swift": "a pause",
        "StoreDevice/Delivery/DeliveryLease.swift": "a pause",
        "StoreDevice/Delivery/Finisher.swift": "a pause",
        "StoreDevice/Delivery/PaymentResender.swift": "a pause",
        "StoreDevice/Device+Asking.swift": "a pause",
        "StoreDevice/Downloads/BandwidthPacer.swift": "a pause without an end",
        "StoreKit/Host/UpdateFeed.swift": "a pause",
        "ContentServer/HTTPServer.swift": "the patience with answers at the end",
        "StoreServer/Sender/Sender.swift": "a pause",
        "StoreServer/API/APIResponder.swift": "an answer that is late on purpose",
        "StoreServer/Sender/ClockWalk.swift": "the patience with the app's backend",
        "StoreServer/Sender/OutboxWakes.swift": "a pause",
        "storefront/Commands/PurchaseRun.swift": "a pause",
        "storefront/Composition/DeviceWatcher.swift": "the patience with another process",
        "storefront/Output/ProgressLine.swift": "the time without bytes, on a terminal",
        "storefront/Commands/DownloadMovement.swift": "the patience of a command",
        "storefront/Commands/ServerRun.swift": "a pause that a signal ends",
        "storefront/Shop/CatalogFollower.swift": "a pause",
        "storefront/Shop/OpenShop.swift": "a pause",
        "storefront/Shop/DemoStore.swift": "a pause",
    ]

    @Test("nobody asks the system for the time but the places named here")
    func onlyTheClocksAsk() throws {
        let asking = try Regex(Self.asking)
        let short = try Regex(Self.askingShort)
        var found: Set<String> = []
        let files = try #require(
            FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            let name = String(file.path.dropFirst(Self.sources.path.count + 1))
            let text = try String(contentsOf: file, encoding: .utf8)
            let namesClock = text.contains("ContinuousClock")
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated()
            where line.contains(asking) || namesClock && line.contains(short) {
                if line.drop(while: { $0 == " " }).hasPrefix("//") { continue }
                found.insert(name)
                #expect(
                    Self.allowed[name] != nil,
                    "\(name):\(number + 1) asks the system: \(line.trimmingCharacters(in: .whitespaces))"
                )
            }
        }
        let idle = Set(Self.allowed.keys).subtracting(found)
        #expect(idle.isEmpty, "no longer ask: \(idle.sorted())")
    }
}
