import ArgumentParser
import Foundation
import ShopText
import StoreDevice
import StoreModel

struct DownloadFaultsCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "download-failures",
        abstract: "Slow down or break a device's downloads on purpose.",
        discussion: """
            Byte N is the one after N others of a download. A lost connection and a changed byte \
            happen once; a standstill and a full disk last until they are cleared. Without \
            options: prints what is set.

            EXAMPLES
              storefront operator download-failures terminal --bytes-per-second 20000
              storefront operator download-failures terminal --disconnect-at 10000
              storefront operator download-failures terminal --clear
            """,
        aliases: ["download-faults"])

    @Argument(help: ArgumentHelp("The device.", valueName: "device")) var device: String
    @Option(help: ArgumentHelp("Bytes a second of each download.", valueName: "bytes"))
    var bytesPerSecond: Int64?
    @Option(help: ArgumentHelp("Each request takes so much longer.", valueName: "ms"))
    var latency: Int64?
    @Option(help: ArgumentHelp("A download stands still at this byte.", valueName: "byte"))
    var stallAt: Int64?
    @Option(help: ArgumentHelp("The connection is lost at this byte, once.", valueName: "byte"))
    var disconnectAt: Int64?
    @Option(help: ArgumentHelp("This byte arrives as another, once.", valueName: "byte"))
    var corruptAt: Int64?
    @Option(help: ArgumentHelp("The disk is full at this byte.", valueName: "byte"))
    var fullAt: Int64?
    @Option(
        help: ArgumentHelp(
            "The disk holds no more content than this, as if it were so small.", valueName: "bytes")
    )
    var disk: Int64?
    @Flag(help: "Clear everything that was set.")
    var clear = false

    @OptionGroup var given: AccountActionOptions

    private var asked: DownloadFaults {
        var faults = DownloadFaults.none
        faults.bytesPerSecond = bytesPerSecond
        faults.latencyMilliseconds = latency
        faults.stallAt = stallAt
        faults.disconnectAt = disconnectAt
        faults.corruptAt = corruptAt
        faults.fullAt = fullAt
        faults.diskBytes = disk
        return faults
    }

    func validate() throws {
        guard !clear || asked.isEmpty else {
            throw ValidationError("Give --clear alone, or what is to go wrong.")
        }
        let numbers = [latency, stallAt, disconnectAt, corruptAt, fullAt, disk].compactMap(\.self)
        guard numbers.allSatisfy({ $0 >= 0 }), bytesPerSecond.map({ $0 > 0 }) ?? true,
            latency.map({ $0 <= 60_000 }) ?? true
        else {
            throw ValidationError(
                "Bytes are counted from 0, a latency is at most 60000, a bandwidth above 0.")
        }
    }

    func run(in store: OpenStore) async throws {
        let name = DeviceName(device)
        try NetworkCommand.refuseMisspelt(name, in: store)
        let opened = try await store.device(name: name)
        if clear || !asked.isEmpty { try await opened.setDownloadFaults(asked) }
        let faults = opened.downloadFaults
        try write(json: faults) {
            Output.line(
                faults.isEmpty
                    ? .noDownloadFaults(device: device) : .downloadFaults(device: device, faults))
        }
    }
}
