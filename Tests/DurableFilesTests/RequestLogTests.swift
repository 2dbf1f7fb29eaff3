import DurableFiles
import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The log of the requests that a store's servers have answered.
@Suite struct RequestLogTests {
    private let folder: TemporaryFolder
    private var log: RequestLog { RequestLog(storeFolder: folder.path) }
    private var file: String { folder.path + "/server/requests.jsonl" }
    private var older: String { folder.path + "/server/requests.1.jsonl" }

    init() throws { folder = try TemporaryFolder() }

    private func request(_ number: Int, path: String = "/health") -> ServerRequest {
        ServerRequest(
            at: Timestamp(milliseconds: Int64(number)), method: "GET", path: path, status: 200,
            milliseconds: 0.4)
    }

    private func length(of path: String) -> Int {
        (try? Data(contentsOf: URL(filePath: path)))?.count ?? 0
    }

    @Test("the newest request comes first, and a store without a server has none")
    func newestFirst() throws {
        #expect(log.newest(10).isEmpty)
        for number in 1...5 { try log.append(request(number)) }
        #expect(log.newest(3) == [request(5), request(4), request(3)])
        #expect(log.newest(10).count == 5)
        #expect(log.newest(0).isEmpty)
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("two files hold the latest requests, each within its bound")
    func bounded() throws {
        let path = "/" + String(repeating: "p", count: 400)
        for number in 1...4_000 { try log.append(request(number, path: path)) }
        for file in [file, older] {
            #expect(length(of: file) > 0)
            #expect(length(of: file) <= Int(RequestLog.bytesMax))
        }
        let kept = log.newest(.max)
        #expect(kept.first == request(4_000, path: path))
        #expect(kept.count > 1_000)
        // Without a gap where the second file begins.
        #expect(
            kept.map(\.at.milliseconds) == Array((4_001 - Int64(kept.count)...4_000).reversed()))
    }

    @Test("of a long path the beginning is kept")
    func longPath() throws {
        try log.append(request(1, path: "/" + String(repeating: "x", count: 100_000)))
        #expect(log.newest(1).first?.path.count == ServerRequest.pathMax)
    }

    @Test("lines of several tasks are all kept, whole")
    func several() async throws {
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<50 { try? log.append(request(task * 100 + number)) }
                }
            }
        }
        #expect(Set(log.newest(.max).map(\.at)).count == 400)
    }

    @Test("a damaged line, and one that is not complete, are left out")
    func damaged() throws {
        try log.append(request(1))
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("{\"at\":\n\u{0}\u{FFFD}\n".utf8))
        try log.append(request(2))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("{\"at\":3".utf8))
        #expect(log.newest(10) == [request(2), request(1)])
    }

    @Test("a link in place of the folder or the file is not followed")
    func links() throws {
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: folder.path + "/elsewhere", withIntermediateDirectories: true)
        try manager.createSymbolicLink(
            atPath: folder.path + "/server", withDestinationPath: folder.path + "/elsewhere")
        #expect(throws: StoreError.self) { try log.append(request(1)) }
        #expect(try manager.contentsOfDirectory(atPath: folder.path + "/elsewhere").isEmpty)
        try manager.removeItem(atPath: folder.path + "/server")
        try manager.createDirectory(
            atPath: folder.path + "/server", withIntermediateDirectories: true)
        try manager.createSymbolicLink(
            atPath: file, withDestinationPath: folder.path + "/elsewhere/file")
        #expect(throws: StoreError.self) { try log.append(request(1)) }
        #expect(log.newest(10).isEmpty)
    }

    @Test("a request wakes who watches")
    func wakes() async throws {
        let wakes = try #require(log.wakes())
        var iterator = wakes.makeAsyncIterator()
        try log.append(request(1))
        #expect(await iterator.next() != nil)
    }
}
