import BenchTable
import Foundation
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreModel

/// The time to fetch a hosted package of many small files, compared with copying and checking the
/// same files with cp(1) and sha256sum(1).
enum ContentBench {
    private static let fileCount = 3_000
    private static let book = ProductID("bench.book")

    static func run(_ table: inout Table) async throws {
        let folder = BenchFolder.make("content")
        let (source, copy) = (folder + "/many", folder + "/copy")
        try write(to: source)
        var hosted = BenchStore.product(book, .nonConsumable, "Book")
        hosted.delivery = .hosted([.init(id: "text", version: "1.0", path: "many")])
        let store = try await BenchStore("hosted", selling: [hosted], contentFolder: folder)
        let device = try await store.device()
        try await device.launch()
        _ = try await store.session().purchase(BenchStore.payment(book))
        try await until(device)
        var fetches: [Double] = []
        var copies: [Double] = []
        for round in 0...5 {
            try await device.deleteContent(of: book)
            try? FileManager.default.removeItem(atPath: copy)
            // Writes the deletions to the disk now, so that the fetch does not wait for them.
            sync()
            let fetch = try await Measure.seconds {
                try await device.resumeDownloads(of: book)
                try await until(device)
            }
            sync()
            let copy = try await Measure.seconds { try copyAndCheck(source, copy) }
            guard round > 0 else { continue }
            fetches.append(fetch)
            copies.append(copy)
        }
        await device.close()
        let (fetched, copied) = (Measure.median(fetches), Measure.median(copies))
        table.add(
            "fetch a package of \(fileCount) small files, not cp -r and sha256sum",
            fetched * 1000, copied * 1000, unit: "ms", ratio: fetched / copied, goal: .atMost(4))
    }

    private static func write(to folder: String) throws {
        for number in 0..<fileCount {
            let part = folder + "/part-\(number / 100)"
            if number % 100 == 0 {
                try FileManager.default.createDirectory(
                    atPath: part, withIntermediateDirectories: true)
            }
            let text = String(repeating: "line \(number)\n", count: 1 + number % 50)
            try Data(text.utf8).write(to: URL(filePath: "\(part)/\(number).txt"))
        }
    }

    private static func until(_ device: Device) async throws {
        for await _ in device.downloadWakes() {
            let rows = try await device.downloads()
            if let error = rows.first?.error { throw error }
            if rows.first?.state == .finished { return }
        }
    }

    private static func copyAndCheck(_ source: String, _ copy: String) throws {
        let script = "cp -r \"$0\" \"$1\" && find \"$1\" -type f -exec sha256sum {} +"
        try ProcessBench.run("/bin/sh", ["-c", script, source, copy])
    }
}
