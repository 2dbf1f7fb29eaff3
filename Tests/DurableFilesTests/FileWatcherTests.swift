import DurableFiles
import Foundation
import StoreTestSupport
import Testing

@Suite struct FileWatcherTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/store.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    /// The number of inotify(7) watches that this process has on a file, from /proc (proc(5)).
    private func watches(on path: String) throws -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        let inode = " ino:" + String(status.st_ino, radix: 16) + " "
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")
        return descriptors.reduce(0) { sum, descriptor in
            // A descriptor may have been closed meanwhile.
            let text =
                (try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8))
            return sum
                + (text ?? "").split(separator: "\n").count {
                    $0.hasPrefix("inotify ") && $0.contains(inode)
                }
        }
    }

    @Test("a notifier that is gone watches no file any more, and leaves those of others watched")
    func gone() throws {
        let file = path + ".bell"
        try folder.write("", to: "store.sqlite")
        let other = try CommitNotifier(databasePath: path)
        #expect(other.isWatching)
        do {
            let notifier = try CommitNotifier(databasePath: folder.path + "/b.sqlite")
            #expect(notifier.isWatching)
            #expect(try watches(on: folder.path + "/b.sqlite.bell") == 1)
        }
        #expect(try watches(on: folder.path + "/b.sqlite.bell") == 0)
        #expect(try watches(on: file) == 1)
        #expect(try watches(on: folder.path) == 1)
        withExtendedLifetime(other) {}
    }
}
