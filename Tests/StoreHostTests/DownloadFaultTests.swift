import ContentPackages
import Foundation
@testable import StoreCatalog
import StoreDevice
import StoreHost
@testable import StoreModel
import Testing

/// Downloads with a fault at any byte: they end with the right content, or with a reported error
/// after which they can continue, and leave no partial file.
@Suite(.timeLimit(.minutes(30))) struct DownloadFaultTests {
    /// The number of faults: `STOREFRONT_DOWNLOAD_FAULTS`, 100 by default.
    static let rounds =
        ProcessInfo.processInfo.environment["STOREFRONT_DOWNLOAD_FAULTS"].flatMap(Int.init) ?? 100

    private static let folderBook: ProductID = "front.book"
    private static let zipBook: ProductID = "front.novel"

    private enum Fault: CaseIterable { case disconnect, corrupt, full, stall, closed, slow }

    @Test(
        "faults at any byte leave the right content or an honest failure, and no litter [A9, A10]")
    func atAnyByte() async throws {
        let folder = try PackageFolder()
        let text = (0..<30_000).map { String($0 &* 7919) }.joined()
        for name in ["book/part/one.txt", "book/two.txt", "novel/part/one.txt", "novel/two.txt"] {
            try folder.write(name + text, to: folder.path + "/Content/" + name)
        }
        let host = try await open(folder)
        var device = try await launched(host)
        for product in [Self.folderBook, Self.zipBook] {
            try await host.buy(product, on: device)
            try await device.until(product) { $0.state == .finished }
        }
        let lengths = Dictionary(
            uniqueKeysWithValues: try await device.downloads().map {
                ($0.productID, $0.bytesExpected)
            })
        // A linear congruential generator is enough to choose bytes.
        var seed: UInt64 = 2027
        func random(_ limit: Int64) -> Int64 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(seed >> 33) % max(limit, 1)
        }
        for round in 0..<Self.rounds {
            let product = round % 2 == 0 ? Self.folderBook : Self.zipBook
            let fault = Fault.allCases[round / 2 % Fault.allCases.count]
            let byte = random(lengths[product] ?? 1)
            try await device.deleteContent(of: product)
            switch fault {
            case .disconnect: try await device.setDownloadFaults(.init(disconnectAt: byte))
            case .corrupt: try await device.setDownloadFaults(.init(corruptAt: byte))
            case .full: try await device.setDownloadFaults(.init(fullAt: byte))
            case .stall, .closed: try await device.setDownloadFaults(.init(stallAt: byte))
            case .slow:
                try await device.setDownloadFaults(
                    .init(bytesPerSecond: 50_000_000, latencyMilliseconds: 1))
            }
            try await device.resumeDownloads(of: product)
            switch fault {
            case .disconnect, .corrupt:
                try await device.until(product) { $0.state == .failed }
                let error = try await device.download(of: product)?.error?.code
                #expect(error == (fault == .corrupt ? .contentMismatch : .networkError))
                try await device.resumeDownloads(of: product)
            case .full:
                try await device.until(product) { $0.error?.code == .deviceFull }
                try await device.setDownloadFaults(.init())
            case .stall:
                try await device.until(product) { $0.state == .active }
                try await device.setDownloadFaults(.init())
            case .closed:
                try await device.until(product) { $0.state == .active }
                await device.close()
                device = try await launched(host)
                try await device.setDownloadFaults(.init())
            case .slow: break
            }
            try await device.until(product) { $0.state == .finished }
            try await device.setDownloadFaults(.init())
            let place = try #require(
                try await device.contentPath(of: product, contentID: "text"))
            let name = product == Self.folderBook ? "book" : "novel"
            #expect(
                try folder.files(of: place + "/Contents") == [
                    "part/one.txt": "\(name)/part/one.txt" + text,
                    "two.txt": "\(name)/two.txt" + text,
                ], "round \(round): \(fault) at \(byte)")
            let partial = try folder.files(of: folder.path + "/store/devices/phone/aoi/partial")
            #expect(Array(partial.keys) == ["CACHEDIR.TAG"], "round \(round)")
        }
        await device.close()
    }

    private func launched(_ host: StoreHost) async throws -> Device {
        let device = try await host.device(account: "aoi", name: "phone", locale: "en_US")
        try await device.launch()
        return device
    }

    /// A store with one book in a folder and one in a package.
    private func open(_ folder: PackageFolder) async throws -> StoreHost {
        let host = try await folder.open(
            folder.catalog([
                .hosted(Self.folderBook, at: "book"), .hosted(Self.zipBook, at: "novel"),
            ]))
        let file = folder.path + "/novel.zip"
        let info = ContentInfo(
            productID: Self.zipBook, version: try #require(ContentVersion("1.1")))
        _ = try PackagePacker.pack(folder.path + "/Content/novel", as: info, to: file)
        let release = try await host.hostPackage(at: file).release
        _ = try await host.storeOperator.perform(
            .package(
                .setState(
                    Self.zipBook, contentID: "text", version: release.version, .approved)))
        return host
    }
}
