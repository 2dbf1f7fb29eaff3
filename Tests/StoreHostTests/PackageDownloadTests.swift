import Foundation
@testable import StoreCatalog
import StoreDevice
import StoreHost
@testable import StoreModel
import Testing

/// The downloads of several packages of one sale.
@Suite(.timeLimit(.minutes(5))) struct PackageDownloadTests {
    private static let atlas: ProductID = "front.atlas"
    private static let length = 20_000
    private let folder: PackageFolder
    private let host: StoreHost

    init() async throws {
        folder = try PackageFolder()
        for name in ["north", "south"] {
            try folder.write(
                String(repeating: "x", count: Self.length),
                to: folder.path + "/Content/\(name)/map.txt")
        }
        host = try await folder.open(
            folder.catalog([
                CatalogProduct(
                    Self.atlas,
                    .hosted([
                        .init(id: "north", version: "1.0", path: "north"),
                        .init(id: "south", version: "2.0", path: "south"),
                    ]))
            ]))
    }

    /// The downloads by package, as soon as they are so.
    @discardableResult
    private func until(
        _ device: Device, _ isSo: ([String: Download]) -> Bool
    ) async throws -> [String: Download] {
        for await _ in device.downloadWakes() {
            let rows = Dictionary(
                try await device.downloads().map { ($0.contentID, $0) }, uniquingKeysWith: { $1 })
            if isSo(rows) { return rows }
        }
        throw CancellationError()
    }

    @Test("a package is paused, resumed and cancelled by itself, by its name or version [E7]")
    func byPackage() async throws {
        let device = try await host.device(account: "aoi", name: "phone", locale: "en_US")
        try await device.launch()
        let updates = device.updates()
        try await device.setDownloadFaults(.init(stallAt: 10_000))
        let outcome = try await host.buy(Self.atlas, on: device)
        guard case .purchased(_, let sale, _) = outcome else {
            Issue.record("not bought: \(outcome)")
            return
        }
        try await until(device) { rows in
            rows.count == 2 && rows.values.allSatisfy { $0.bytesReceived == 10_000 }
        }
        _ = try await device.perform(.pauseDownloads, on: Self.atlas, package: "north")
        try await device.setDownloadFaults(.init())
        var rows = try await until(device) { $0["south"]?.state == .finished }
        #expect(rows["north"]?.state == .paused && rows["north"]?.bytesReceived == 10_000)
        let session = host.session(account: "aoi", device: "phone", locale: "en_US")
        #expect(try await session.unfinished(allDevices: false).map(\.id) == [sale])

        _ = try await device.perform(.cancelDownloads, on: Self.atlas, package: "1.0")
        for await update in updates where update == .event(.finished(sale)) { break }
        rows = try await until(device) { $0["north"]?.state == .cancelled }
        #expect(rows["south"]?.state == .finished && rows["north"]?.bytesReceived == 0)
        let partial = folder.path + "/store/devices/phone/aoi/partial/\(Self.atlas)/north"
        #expect(!FileManager.default.fileExists(atPath: partial))

        _ = try await device.perform(.resumeDownloads, on: Self.atlas, package: "north")
        try await until(device) { $0["north"]?.state == .finished }
        for operation in [ContentOperation.pauseDownloads, .resumeDownloads, .cancelDownloads] {
            let error = await #expect(throws: StoreError.self) {
                try await device.perform(operation, on: Self.atlas, package: "west")
            }
            #expect(error?.code == .downloadNotFound && error?.subject == "west")
            #expect(error?.expected?.text == "north, south")
        }
        await device.close()
    }

    @Test("a package that is resumed comes before the other one, which had its place [E7]")
    func first() async throws {
        let device = try await host.device(
            account: "aoi", name: "phone", locale: "en_US", downloadsAtOnce: 1)
        try await device.launch()
        try await device.setDownloadFaults(.init(stallAt: 10_000))
        try await host.buy(Self.atlas, on: device)
        let rows = try await until(device) { rows in
            rows.values.contains { $0.bytesReceived == 10_000 }
        }
        let second = rows["north"]?.bytesReceived == 10_000 ? "south" : "north"
        _ = try await device.perform(.resumeDownloads, on: Self.atlas, package: second)
        let later = try await until(device) { $0[second]?.bytesReceived == 10_000 }
        #expect(later.values.count { $0.state == .active } == 1)
        #expect(later[second]?.state == .active)
        try await device.setDownloadFaults(.init())
        try await until(device) { $0.values.allSatisfy { $0.state == .finished } }
        await device.close()
    }
}
