import Foundation
import StoreHost
import StoreKit
import StoreModel
import Testing

extension ProcessTests {
    @Suite struct SKDownloadTests {
        private var queue: SKPaymentQueue { .default() }

        /// Buys a book of two packages in a store of one's own.
        private func run(
            _ body: (TestSession, QueueRecorder, [SKDownload]) async throws -> Void
        ) async throws {
            let fixture = try HostedFixture()
            defer { withExtendedLifetime(fixture) {} }
            let choice = AppStoreSession.Choice(file: fixture.path)
            try await QueueTest.run(choice) { test, recorder in
                let product = try await ProductsAnswer().product(HostedFixture.book)
                #expect(product.isDownloadable && product.downloadContentLengths == [4, 8])
                #expect(product.downloadContentVersion == "1.0")
                queue.add(SKPayment(product: product))
                _ = await recorder.next()
                let bought = try #require(await recorder.next().transactions.first)
                #expect(bought.downloads.map(\.contentIdentifier) == ["text", "pictures"])
                #expect(bought.downloads == queue.transactions[0].downloads)
                #expect(bought.downloads.map(\.state) == [.waiting, .waiting])
                #expect(bought.downloads.map(\.transaction) == [bought, bought])
                try await body(test, recorder, bought.downloads)
            }
        }

        /// Reads updates until a download is in a state.
        private func until(
            _ download: SKDownload, is state: SKDownloadState, _ recorder: QueueRecorder
        ) async {
            while download.state != state {
                let call = await recorder.next()
                #expect(call.text == "downloads" && call.isOnMainQueue)
            }
        }

        @Test(
            "downloads run one by one, as they are started, and end with the package's folder [H2]")
        func oneByOne() async throws {
            try await run { test, recorder, downloads in
                queue.start([downloads[1]])
                await until(downloads[1], is: .finished, recorder)
                #expect(downloads[1].progress == 1 && downloads[1].expectedContentLength == 8)
                let folder = try #require(downloads[1].contentURL)
                let page = folder.appending(path: "Contents/page.txt")
                #expect(try String(contentsOf: page, encoding: .utf8) == "pictures")
                #expect(
                    FileManager.default.fileExists(
                        atPath: folder.appending(path: "ContentInfo.plist").path))
                #expect(downloads[0].state == .waiting && downloads[0].contentURL == nil)
                #expect(try await test.device.downloads().map(\.contentID) == ["pictures"])
                queue.start([downloads[0]])
                await until(downloads[0], is: .finished, recorder)
                // The app finishes when it has what it wants.
                #expect(queue.transactions.count == 1)
                queue.finishTransaction(queue.transactions[0])
                #expect(queue.transactions.isEmpty)
            }
        }

        @Test("a download is paused, resumed and cancelled")
        func steps() async throws {
            try await run { test, recorder, downloads in
                var faults = DownloadFaults.none
                faults.stallAt = 4
                try await test.device.setDownloadFaults(faults)
                queue.start([downloads[1]])
                await until(downloads[1], is: .active, recorder)
                queue.pause([downloads[1]])
                await until(downloads[1], is: .paused, recorder)
                try await test.device.setDownloadFaults(.none)
                queue.resume([downloads[1]])
                await until(downloads[1], is: .finished, recorder)
                // One that was never started has nothing to remove.
                queue.cancel([downloads[0]])
                await until(downloads[0], is: .cancelled, recorder)
            }
        }

        @Test("a restored purchase has its downloads, too")
        func restored() async throws {
            try await run { _, recorder, _ in
                queue.finishTransaction(queue.transactions[0])
                _ = await recorder.next()
                queue.restoreCompletedTransactions()
                let restored = try #require(await recorder.next().transactions.first)
                #expect(await recorder.next().text == "restore finished")
                #expect(restored.transactionState == .restored && restored.downloads.count == 2)
                queue.start(restored.downloads)
                for download in restored.downloads {
                    await until(download, is: .finished, recorder)
                    #expect(download.contentURL != nil)
                }
            }
        }
    }
}

/// A catalog with a book of two hosted packages, in a folder of its own.
final class HostedFixture: Sendable {
    static let book = "test.book"
    let path: String
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/storekit-hosted-\(UUID())"
        path = folder + "/catalog.json"
        for name in ["text", "pictures"] {
            let place = folder + "/Content/" + name
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true)
            try Data(name.utf8).write(to: URL(filePath: place + "/page.txt"))
        }
        try Data(Self.catalog.utf8).write(to: URL(filePath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static let catalog = """
        {
          "format": 1,
          "app": {"bundleId": "com.example.test", "name": {"en": "Test"}},
          "defaults": {"territory": "USA", "locale": "en_US"},
          "content": "Content",
          "products": [
            {"id": "test.book", "type": "nonConsumable", "name": {"en": "Book"},
             "prices": {"USA": "0.99"},
             "delivery": {"kind": "hosted", "packages": [
               {"id": "text", "version": "1.0", "path": "text"},
               {"id": "pictures", "version": "1.0", "path": "pictures"}
             ]}}
          ]
        }
        """
}
