import ArgumentParser
import Basics
import Foundation
import ShopText
import StoreDevice
import StoreHost
import StoreModel

struct NetworkCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Cut a device off from the store, slow it, or turn its network on.",
        discussion: """
            While it is off nothing reaches the store: purchases fail with networkError and are not \
            queued, a restore fails, finishing waits, downloads pause. The device works with what it \
            knows, and says as of when. With on, what it missed is delivered before the command \
            returns, unless another process delivers for the device; nothing new is charged, and \
            content is not waited for. Where the network is back by itself (--for), it arrives in \
            the shop and in watch at once, otherwise with the next buy or restore. Other devices \
            notice nothing. Without on or off: tells which it is.

            With --during-purchase it goes off when the next payment has reached the store and \
            before the answer comes: the payment stays queued, its outcome arrives on return, and \
            it is never charged twice.

            While it is slow, products, purchases, a restore and the status of subscriptions take \
            3 seconds longer, or what --delay says, so that loading, purchasing and restoring can \
            be watched.

            EXAMPLES
              storefront operator network terminal off --for 30s
              storefront operator network terminal off --during-purchase
              storefront operator network terminal slow --delay 5s
              storefront operator network phone on --account aoi
              storefront operator network phone
            """)

    @Argument(help: ArgumentHelp("The device.", valueName: "device")) var device: String
    @Argument(help: ArgumentHelp("off, slow or on.", valueName: "off|slow|on"))
    var wanted: Switch?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "On again by itself after this time on the wall clock: 30s, 5m, 2h, at most 30d.",
            valueName: "time"))
    var time: String?
    @Option(
        help: ArgumentHelp(
            "How much longer an answer takes while it is slow, at most 60s.", valueName: "time"))
    var delay: String?
    @Flag(help: "Off once the next payment has reached the store, before its answer.")
    var duringPurchase = false

    @OptionGroup var given: AccountActionOptions

    enum Switch: String, ExpressibleByArgument, CaseIterable { case off, slow, on }

    func validate() throws {
        if time != nil || duringPurchase, wanted != .off {
            throw ValidationError("--for and --during-purchase say how to turn it off: give off.")
        }
        if delay != nil, wanted != .slow {
            throw ValidationError("--delay says how slow it is: give slow.")
        }
        if let time, milliseconds == nil {
            throw ValidationError(
                "--for takes a time such as 30s, 5m or 2h, at most 30d, found '\(time)'.")
        }
        if let delay, Self.milliseconds(of: delay).map({ $0 > NetworkChange.delayMax }) ?? true {
            throw ValidationError("--delay takes a time such as 5s, at most 60s, found '\(delay)'.")
        }
    }

    /// The duration that `--for` gives; nil if the option is missing or is no duration.
    private var milliseconds: Int64? { time.flatMap(Self.milliseconds) }

    static func milliseconds(of time: String) -> Int64? {
        let parsed: Int64? =
            switch ClockStep(time) {
            case .seconds(let seconds)?: seconds * 1000
            case .calendar(let period)?:
                switch period.unit {
                case .day: Int64(period.value) * 86_400_000
                case .week: Int64(period.value) * 7 * 86_400_000
                case .month, .year: nil
                }
            case nil: nil
            }
        return parsed.flatMap { $0 <= NetworkChange.millisecondsMax ? $0 : nil }
    }

    func run(in store: OpenStore) async throws {
        let name = DeviceName(device)
        try Self.refuseMisspelt(name, in: store)
        let opened = try await store.device(name: name)
        switch wanted {
        case .on?:
            try await opened.setNetwork(.on)
            try await Self.deliver(on: opened, in: store)
        case .off? where duringPurchase:
            try await opened.setNetwork(.offAfterPayment(milliseconds: milliseconds))
        case .off?: try await opened.setNetwork(.off(milliseconds: milliseconds))
        case .slow?:
            let wasOff = opened.network().isOff
            let given = delay.flatMap(Self.milliseconds)
            try await opened.setNetwork(.slow(milliseconds: given ?? NetworkChange.usualDelay))
            if wasOff { try await Self.deliver(on: opened, in: store) }
        case nil: break
        }
        let network: String
        // Until the network is on again; for `offAfterPayment`, how long it will be off; for
        // `slow`, the delay.
        var milliseconds: Int64?
        let text: StoreLineText
        switch opened.network() {
        // As a person has set it; the store's own errors tell of its server.
        case .on, .serverAway:
            network = "on"
            text = .networkIsOn(device: device)
        case .off(let left):
            network = "off"
            milliseconds = left
            text = .networkIsOff(
                device: device,
                time: left.map { Output.strings.roughly(seconds: ($0 + 999) / 1000) })
        case .offAfterPayment(let length):
            network = "offAfterPayment"
            milliseconds = length
            text = .networkOffAfterPayment(device: device)
        case .slow(let delay):
            network = "slow"
            milliseconds = delay
            text = .networkIsSlow(
                device: device, time: Output.strings.roughly(seconds: (delay + 999) / 1000))
        }
        try write(
            json: [
                "device": name, "account": store.account, "network": network,
                "milliseconds": milliseconds,
            ] as JSONFields
        ) { Output.line(text) }
    }

    /// Delivers the sales that the device has missed, unless another process holds its lease.
    private static func deliver(on device: Device, in store: OpenStore) async throws {
        let watcher = DeviceWatcher(device, remarksOf: store)
        try await store.launchToDeliver(device)
        if await device.holdsLease {
            try await store.waitUntilIdle(device, watcher, forDownloads: false)
        }
        await watcher.end()
        await device.writeReceipt()
        await device.keepAnswers()
    }

    /// Refuses a name that is nearly that of a device of this store: opening it would register a
    /// misspelt device. Any other name is one that the account may have, used before or not.
    static func refuseMisspelt(_ name: DeviceName, in store: OpenStore) throws(StoreError) {
        let known = Set(DeviceFolder.devices(in: store.host.folder).map(\.device))
            .union([store.deviceName])
        guard !known.contains(name),
            let near = SpellingSuggestion.nearest(
                to: name.rawValue, among: known.map(\.rawValue))
        else { return }
        throw StoreError(
            .invalidName, reason: .unknownDevice, found: name.rawValue, expected: near)
    }
}
