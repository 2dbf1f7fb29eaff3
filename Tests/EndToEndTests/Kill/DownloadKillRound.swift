import Foundation
import TestBasics
import Testing

/// One purchase with hosted content: its download is killed at growing offsets and then completed.
final class DownloadKillRound {
    /// The point of a download at which its process is killed.
    private enum Place {
        /// This many bytes have been received, but not all.
        case bytes(Int64)
        /// All bytes have been received, and are being checked, unpacked and synced.
        case whole
        /// The content is in its final folder, whether or not that is recorded.
        case inPlace
    }

    private static let product = "kill.book"
    /// Rates that are slow enough for a download in many pieces.
    private static let rates = ["1M", "4M"]

    private let box: Sandbox
    private let isPackage: Bool
    private(set) var random: SplitMix64
    private(set) var tally = DownloadKillTally()
    private(set) var problems: [String] = []
    /// The length of the download, and the bytes that the last killed process has left.
    private var whole: Int64 = 0
    private var kept: Int64 = 0

    private var hosted: String { box.work + "/Content/book" }
    private var version: String { isPackage ? "1.1" : "1.0" }
    private var device: String { box.store + "/devices/terminal/me" }
    private var fetched: String { device + "/partial/\(Self.product)/text/files" }
    private var place: String { device + "/content/\(Self.product)/text" }

    init(random: SplitMix64, isPackage: Bool, hasManyFiles: Bool) async throws {
        self.random = random
        self.isPackage = isPackage
        box = try Sandbox()
        try write(hasManyFiles: hasManyFiles)
        whole = Self.length(of: hosted)
        guard isPackage else { return }
        let file = box.work + "/book.zip"
        try await box.succeed(
            "content", "pack", hosted, "--product", Self.product, "--version", version, "--output",
            file)
        let answer = try await run(["content", "host", file, "--approve"])
        #expect(answer.code == 0, "\(answer.whole)")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        whole = (attributes[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Writes the catalog and 1.5 MB of content: text, incompressible bytes, and an empty file.
    private func write(hasManyFiles: Bool) throws {
        _ = try box.file(
            "catalog.json",
            """
            {"format": 1, "app": {"bundleId": "com.example.lantern", "name": {"en": "Kill"}},
             "defaults": {"territory": "USA", "locale": "en_US"}, "content": "Content",
             "sections": [{"id": "books", "name": {"en": "Books"}}],
             "products": [{"id": "\(Self.product)", "type": "nonConsumable", "section": "books",
              "name": {"en": "Book"}, "prices": {"USA": "0.99"}, "delivery": {"kind": "hosted",
              "packages": [{"id": "text", "version": "1.0", "path": "book"}]}}]}
            """)
        let text = Data((0..<100_000).map { String($0 &* 7919) }.joined(separator: " ").utf8)
        let noise = Data((0..<100_000).flatMap { _ in Self.bytes(of: random.next()) })
        var files = ["empty": Data(), "one.txt": text, "part/deep/noise": noise]
        for number in 0..<(hasManyFiles ? 40 : 2) {
            files["part/\(number).txt"] = Data("\(number) ".utf8) + text.prefix(number * 500)
        }
        for (name, bytes) in files {
            let file = URL(filePath: hosted + "/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: file)
        }
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// The sum of the lengths of a folder's files; 0 if there is no folder.
    private static func length(of folder: String) -> Int64 {
        let names = FileManager.default.enumerator(atPath: folder)
        var sum: Int64 = 0
        while let name = names?.nextObject() as? String {
            var status = stat()
            guard stat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { continue }
            sum += Int64(status.st_size)
        }
        return sum
    }

    private func run(_ words: [String]) async throws -> RunningProgram.Answer {
        try await box.run(words + ["--catalog", box.work + "/catalog.json"])
    }

    // MARK: - Kills

    /// Buys, and kills downloading processes: `kills` of them, or until one ends before its kill.
    func run(kills: Int) async throws {
        // The last two are killed at the download's end, where bytes are checked and moved.
        var places = (0..<max(kills - 2, 1)).map { _ in
            Int64.random(in: 1..<whole, using: &random)
        }
        .sorted().map { Place.bytes($0) }
        if kills > 1 { places.append(random.chance(50) ? .whole : .bytes(whole - 1)) }
        if kills > 2 { places.append(random.chance(50) ? .inPlace : .whole) }
        for (number, place) in places.enumerated() {
            let words = number == 0 ? ["buy", Self.product] : ["downloads", "run"]
            guard try await runAndKill(words, at: place), problems.isEmpty else { return }
        }
    }

    /// Returns whether the command was killed, when its download had reached this point.
    private func runAndKill(_ words: [String], at place: Place) async throws -> Bool {
        let words = words + ["--bandwidth", random.pick(Self.rates)]
        let program = try box.start(words + ["--catalog", box.work + "/catalog.json"])
        await wait(for: place, program)
        program.stop(SIGKILL)
        let answer = await program.end()
        guard answer.code == -SIGKILL, !answer.hung else {
            tally.tooLate += 1
            if answer.code != 0 || answer.hung { note(place, "\(words) said: \(answer.whole)") }
            return false
        }
        tally.kills += 1
        switch place {
        case .bytes: tally.whileBytesCame += 1
        case .whole: tally.whenAllHadCome += 1
        case .inPlace: tally.whenInPlace += 1
        }
        kept = isInPlace ? 0 : received
        return true
    }

    /// Until the download has reached this point, the program has ended, or the patience has.
    private func wait(for place: Place, _ program: RunningProgram) async {
        let isEnded = Shared(false)
        Task {
            _ = await program.end()
            isEnded.value = true
        }
        let clock = ContinuousClock()
        let deadline = clock.now + Program.patience
        var fewer = 0
        while !isEnded.value {
            let length = received
            let isHere = isInPlace
            // A look that meets a move of the files misses some of them. A process moves them back,
            // into a package and into place: the look after three such ones misses none.
            fewer = length < kept && !isHere ? fewer + 1 : 0
            if fewer > 3 {
                return note(place, "\(kept) bytes had come, and now there are \(length)")
            }
            switch place {
            case .bytes(let bytes): if length >= bytes || isHere { return }
            case .whole: if length == whole || isHere { return }
            case .inPlace: if isHere { return }
            }
            guard clock.now < deadline else {
                return note(place, "not reached in \(Program.patience), at \(length) bytes")
            }
            // inotify(7) watches no folder tree, so look at the files again each millisecond.
            try? await clock.sleep(for: .milliseconds(1))
        }
    }

    /// The bytes that have come. Before a folder's files are moved into place, they are moved into a
    /// package, and the next process moves them back: a later look finds what an earlier one missed.
    private var received: Int64 {
        let files = Self.length(of: fetched)
        guard !isPackage else { return files }
        let package = (fetched as NSString).deletingLastPathComponent + "/package/Contents"
        return max(files, Self.length(of: package), Self.length(of: fetched))
    }

    private var isInPlace: Bool { access(place + "/" + version, F_OK) == 0 }

    private func note(_ place: Place, _ what: String) {
        problems.append("\(place) of \(whole) (package: \(isPackage)): \(what)")
    }

    // MARK: - The end

    /// The content equals the hosted one, and there is no leftover file or second sale.
    func audit() async throws {
        guard problems.isEmpty else { return }
        let ended = try await run(["downloads", "run", "--bandwidth", "unlimited"])
        if ended.code != 0 { problems.append("the last run: \(ended.whole)") }
        let row = try await run(["downloads", "--json"])
        if row.json.count != 1 || row.object["state"].text != "finished"
            || row.object["version"].text != version
            || row.object["bytesReceived"] != row.object["bytesExpected"]
        {
            problems.append("downloads: \(row.whole)")
        }
        let difference = FolderContents(place + "/" + version + "/Contents")
            .differences(FolderContents(hosted))
        if !difference.isEmpty { problems.append("other content: \(difference)") }
        let versions = try FileManager.default.contentsOfDirectory(atPath: place)
        if versions != [version] { problems.append("versions: \(versions)") }
        let partial = try FileManager.default.subpathsOfDirectory(atPath: device + "/partial")
        if partial != ["CACHEDIR.TAG"] { problems.append("left over: \(partial)") }
        let trash = try? FileManager.default.contentsOfDirectory(atPath: device + "/trash")
        if trash?.isEmpty == false { problems.append("left in the trash: \(trash ?? [])") }
        let unfinished = try await run(["transactions", "--unfinished"])
        if !unfinished.output.isEmpty { problems.append("unfinished: \(unfinished.output)") }
        let events = try await run(["operator", "events", "--json"])
        let sales = events.json.count { $0["event"].text == "sold" }
        let sold = try await run(["transactions", "--json"]).json.count
        if sales != 1 || sold != 1 { problems.append("sold \(sales) times, \(sold) owned") }
    }
}
