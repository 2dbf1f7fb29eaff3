import Foundation
import Testing

@Suite("making, listing, copying and dropping whole stores", .withProgram, .inTurn)
struct CopyStoreTests {
    private func sold(_ box: Sandbox, _ store: String) async throws -> Int {
        try await box.succeed("transactions", "--store", store, "--json").lines.count
    }

    private func refusal(_ answer: RunningProgram.Answer) -> String? {
        answer.object["error"]["code"].text
    }

    @Test("a store that is copied continues in the new place, and is closed in the old one")
    func moves() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let certificate = try await box.succeed("certificate", "--pem").output
        let place = box.folder + "/new"
        let copied = try await box.succeed("store", "copy", box.store, place)
        #expect(copied.output.hasPrefix("The store continues at \(place), with "))
        let closed = try await box.run("buy", "lantern.coins.10", "--json")
        #expect(closed.code == 69 && refusal(closed) == "storeMoved", "\(closed.output)")
        #expect(closed.errors.contains("--store \(place)"), "\(closed.errors)")
        #expect(try await sold(box, box.store) == 1, "it can still be read")
        #expect(try await sold(box, place) == 1)
        try await box.succeed("buy", "lantern.coins.10", "--store", place)
        #expect(try await sold(box, place) == 2)
        let pinned = try await box.succeed("certificate", "--pem", "--store", place).output
        #expect(pinned == certificate, "the keys came along")

        let again = try await box.succeed("store", "copy", box.store, place, "--json").object
        #expect(again["isCopy"].bool == false)
        let elsewhere = try await box.run(
            "store", "copy", box.store, box.folder + "/other", "--json")
        #expect(elsewhere.code == 69 && refusal(elsewhere) == "storeMoved")
        let listed = try await box.succeed("store", "list", "--json").object
        #expect(listed["goesOnAt"].text == place)
    }

    @Test("a copy may sell beside its store, and no copy is made where another store is")
    func asCopy() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let place = box.folder + "/beside"
        try await box.succeed("store", "copy", box.store, place, "--as-copy")
        for store in [box.store, place] {
            try await box.succeed("buy", "lantern.coins.10", "--store", store)
        }
        let taken = try await box.run("store", "copy", box.store, place, "--as-copy", "--json")
        #expect(taken.code == 69 && refusal(taken) == "storeExists")
        let missing = try await box.run(
            "store", "copy", box.folder + "/none", box.folder + "/n", "--json")
        #expect(missing.code == 65 && refusal(missing) == "fileUnreadable")
        let itself = try await box.run("store", "copy", box.store, box.store, "--json")
        #expect(itself.code == 69 && refusal(itself) == "storeExists")
    }

    /// As where somebody puts the copy in the place of the store.
    @Test("a device that has read a store refuses its copy, until the copy is accepted")
    func devices() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let place = box.folder + "/beside"
        try await box.succeed("store", "copy", box.store, place, "--as-copy")
        try FileManager.default.copyItem(
            atPath: box.store + "/devices", toPath: place + "/devices")
        let refused = try await box.run("buy", "lantern.coins.10", "--store", place, "--json")
        #expect(refused.code == 69 && refusal(refused) == "storeBehind", "\(refused.output)")
        try await box.succeed("operator", "accept-store", "--store", place)
        try await box.succeed("buy", "lantern.coins.10", "--store", place)
    }

    @Test("a store is made, listed, and dropped only by its name")
    func lifeOfStores() async throws {
        let box = try Sandbox()
        let place = box.folder + "/team"
        #expect(try await box.succeed("store", "list", "--store", place).output.isEmpty)
        let made = try await box.succeed("store", "create", "--store", place)
        #expect(made.output.contains("was made"))
        let again = try await box.succeed("store", "create", "--store", place)
        #expect(again.output.contains("already"))
        let roles = try await box.run("store", "create", "--roles", "--store", place, "--json")
        #expect(roles.code == 12 && refusal(roles) == "unsupported")
        try await box.succeed("buy", "lantern.coins.10", "--store", place)
        let listed = try await box.succeed("store", "list", "--store", place, "--json").object
        #expect(listed["store"].text == place && (listed["entries"].number ?? 0) >= 4)

        let unasked = try await box.run("store", "drop", "--store", place)
        #expect(unasked.code == 64)
        let wrong = try await box.run("store", "drop", "--store", place, "--confirm", "tea")
        #expect(wrong.code == 11)
        #expect(try await sold(box, place) == 1)
        try await box.succeed("store", "drop", "--store", place, "--confirm", "team")
        #expect(!FileManager.default.fileExists(atPath: place))
        let gone = try await box.succeed(
            "store", "drop", "--store", place, "--confirm", "team", "--json")
        #expect(gone.object["removed"].bool == false)
    }
}
