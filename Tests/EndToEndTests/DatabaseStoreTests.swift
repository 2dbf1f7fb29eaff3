#if PostgreSQL
import Foundation
import TerminalHarness
import TestBasics
import Testing

/// The server of these tests.
enum SharedServer {
    /// It must not inherit the pipe of a program that is being started, and keep that open.
    static let current: PrivateServer? = PseudoTerminal.alone { PrivateServer.shared }
}

/// The commands for whole stores, run by the program that opens databases.
@Suite(
    "whole stores in a database",
    .enabled(if: Program.postgreSQLPath != nil, "There is no program with stores in PostgreSQL."),
    .enabled(if: SharedServer.current != nil, "No PostgreSQL server is installed."), .inTurn)
struct DatabaseStoreTests {
    private let book = "lantern.book.lighthouse.1"
    private let box: Sandbox
    private let store = "e2e_" + UUID().uuidString.lowercased()

    init() throws { box = try Sandbox(program: Program.postgreSQLPath) }

    private func address(_ store: String) throws -> String {
        let folder = try #require(SharedServer.current).folder
        return "postgresql:///storefront?user=storefront&host=\(folder)&store=\(store)"
    }

    private func refusal(_ answer: RunningProgram.Answer) -> String? {
        answer.object["error"]["code"].text
    }

    private func certificate(_ place: String) async throws -> String {
        try await box.succeed("certificate", "--pem", "--store", place).output
    }

    private func sold(_ place: String) async throws -> Int {
        try await box.succeed("transactions", "--json", "--store", place).lines.count
    }

    /// A store of the sandbox with a sale, a key of the API and a hosted package.
    ///
    /// - Returns: the package's file.
    private func fill() async throws -> String {
        let (folder, file) = (box.work + "/chapters", box.work + "/chapters.zip")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Data("The boat, as it was.".utf8).write(to: URL(filePath: folder + "/01.txt"))
        try await box.succeed(
            "content", "pack", folder, "--product", book, "--version", "1.1", "--output", file)
        try await box.succeed("content", "host", file, "--approve")
        try await box.succeed("buy", "lantern.theme.sepia")
        try await box.succeed("operator", "api-keys", "create", "--out", box.work + "/key.p8")
        return file
    }

    private func listed(_ place: String) async throws -> JSON? {
        let answer = try await box.succeed("store", "list", "--json", "--store", place)
        return answer.json.first { $0["store"].text == store }
    }

    @Test("a store moves to a database and back, with its keys, packages and numbers")
    func moves() async throws {
        let file = try await fill()
        let (place, back) = (try address(store), box.folder + "/back")
        let root = try await certificate(box.store)
        let keys = try await box.succeed("operator", "api-keys", "--json").output
        let copied = try await box.succeed("store", "copy", box.store, place)
        #expect(
            copied.output.hasPrefix("The store continues at \(place), with "), "\(copied.output)")
        let closed = try await box.run("buy", "lantern.coins.10", "--json")
        #expect(closed.code == 69 && refusal(closed) == "storeMoved", "\(closed.output)")
        #expect(closed.errors.contains(place))
        #expect(try await certificate(place) == root)
        #expect(
            try await box.succeed("operator", "api-keys", "--json", "--store", place).output
                == keys)
        #expect(try await sold(place) == 1)
        try await box.succeed("buy", book, "--bandwidth", "unlimited", "--store", place)
        let download = try await box.succeed("downloads", "--json", "--store", place).object
        #expect(download["state"].text == "finished" && download["version"].text == "1.1")

        try await box.succeed("store", "copy", place, back)
        #expect(try await listed(place)?["goesOnAt"].text == back)
        #expect(try await certificate(back) == root)
        #expect(try await sold(back) == 2)
        let hosted = try await box.succeed("content", "hosted", "--json", "--store", back).object
        let hash = try #require(hosted["sha256"].text)
        #expect(
            FileManager.default.contentsEqual(
                atPath: "\(back)/packages/\(hash).zip", andPath: file))
        let again = try await box.succeed("store", "copy", place, back, "--json").object
        #expect(again["isCopy"].bool == false, "it has moved already")
        let late = try await box.run("buy", "lantern.coins.10", "--json", "--store", place)
        #expect(late.code == 69 && refusal(late) == "storeMoved")
    }

    @Test("a copy in the same database sells beside its store, and neither takes the other's place")
    func asCopy() async throws {
        _ = try await fill()
        let (place, other) = (try address(store), try address(store + "_b"))
        try await box.succeed("store", "copy", box.store, place)
        try await box.succeed("store", "copy", place, other, "--as-copy")
        for place in [place, other] {
            try await box.succeed("buy", "lantern.coins.10", "--store", place)
            #expect(try await sold(place) == 2)
        }
        #expect(try await certificate(other) == certificate(place))
        let taken = try await box.run("store", "copy", place, other, "--as-copy", "--json")
        #expect(taken.code == 69 && refusal(taken) == "storeExists")
        let itself = try await box.run("store", "copy", place, place + "&port=5432", "--json")
        #expect(itself.code == 69 && refusal(itself) == "storeExists")
        let none = try await box.run(
            "store", "copy", try address(store + "_none"), box.folder + "/none", "--json")
        #expect(refusal(none) == "invalidName", "\(none.output)")
        #expect(!FileManager.default.fileExists(atPath: box.folder + "/none"))
    }

    private func carryOut(_ sql: String, on server: PrivateServer) throws {
        let ended = try PseudoTerminal.alone {
            try ShellCommand([
                "psql", "-h", server.folder, "-U", "storefront", "-d", "storefront", "-c", sql,
            ]).end()
        }
        #expect(ended.code == 0, "\(ended.output)")
    }

    @Test(
        "paths tells the server's settings because of which a power cut may take a sale away",
        .timeLimit(.minutes(10)))
    func unsafeSettings() async throws {
        let server = try #require(
            PseudoTerminal.alone { PrivateServer.start(["full_page_writes=off"]) })
        defer { server.end() }
        let place = "postgresql:///storefront?user=storefront&host=\(server.folder)"
        try await box.succeed("buy", "lantern.coins.10", "--store", place)
        let text = try await box.succeed("paths", "--store", place).lines
        let line = text.first { $0.hasPrefix("unsafe ") }
        #expect(line?.split(separator: " ").map(String.init) == ["unsafe", "full_page_writes=off"])

        try carryOut("ALTER ROLE storefront SET synchronous_commit = off", on: server)
        let both = try await box.succeed("paths", "--json", "--store", place).object
        #expect(both["unsafe"].text == "synchronous_commit=off full_page_writes=off")
        #expect(both["server"].text?.hasPrefix("PostgreSQL 1") == true)

        try carryOut("ALTER ROLE storefront RESET synchronous_commit", on: server)
        try carryOut("ALTER SYSTEM SET full_page_writes = on", on: server)
        try carryOut("SELECT pg_reload_conf()", on: server)
        // The server's processes learn of the setting one after the other.
        var safe = both
        while safe["unsafe"] != .null {
            safe = try await box.succeed("paths", "--json", "--store", place).object
        }
        #expect(safe["server"] == both["server"])
    }

    @Test("a store with roles is made, listed, and dropped only by its name")
    func lifeOfStores() async throws {
        let place = try address(store)
        #expect(try await listed(place) == nil)
        let made = try await box.succeed("store", "create", "--roles", "--store", place, "--json")
        #expect(made.object["created"].bool == true)
        let again = try await box.succeed("store", "create", "--roles", "--store", place)
        #expect(again.output.contains("already"))
        let empty = try #require(try await listed(place))
        #expect(empty["entries"].number == 0)
        try await box.succeed("buy", "lantern.coins.10", "--store", place)
        #expect(try await listed(place)?["entries"].number ?? 0 >= 4)
        let text = try await box.succeed("store", "list", "--store", place).output
        #expect(text.contains(store))

        #expect(try await box.run("store", "drop", "--store", place).code == 64)
        let wrong = try await box.run("store", "drop", "--store", place, "--confirm", "storefront")
        #expect(wrong.code == 11)
        #expect(try await sold(place) == 1)
        let dropped = try await box.succeed(
            "store", "drop", "--store", place, "--confirm", store, "--json")
        #expect(dropped.object["removed"].bool == true)
        #expect(try await listed(place) == nil)
        let gone = try await box.succeed(
            "store", "drop", "--store", place, "--confirm", store, "--json")
        #expect(gone.object["removed"].bool == false)
    }
}
#endif
