import Foundation
import Testing

@Suite("emptying a store", .withProgram, .inTurn)
struct ResetTests {
    @Test("a store is emptied with --yes, and the next command makes a new one of the catalog")
    func emptied() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia", "--account", "aoi")
        let root = try await box.succeed("certificate").output
        let answer = try await box.succeed("operator", "reset", "--yes", "--json").object
        #expect(answer["removed"].bool == true && answer["devices"].number == 1)
        #expect(try await box.succeed("transactions", "--account", "aoi", "--json").output.isEmpty)
        #expect(try await box.succeed("certificate").output == root)
        try await box.succeed("buy", "lantern.theme.sepia", "--account", "aoi")
        let numbers = try await box.succeed("transactions", "--account", "aoi", "--json").object
        #expect(numbers["transactionId"].text == "1000001")
        try await box.succeed("operator", "reset", "--yes")
        let again = try await box.succeed("operator", "reset", "--yes")
        #expect(again.output.isEmpty && again.errors.contains("There is no store"))
    }

    @Test("without --yes nothing is removed where nobody can be asked, nor by a customer")
    func refused() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let before = box.storeContents
        let answer = try await box.run("operator", "reset")
        #expect(answer.code == 64)
        #expect(answer.errors.contains("1 device") && answer.errors.contains(box.store))
        #expect(answer.errors.contains("--yes"))
        #expect(try await box.run("operator", "reset", "--yes", "--customer").code == 64)
        #expect(try await box.run("operator", "reset", "--yes", "--as", "aoi").code == 12)
        #expect(before.differences(box.storeContents).isEmpty)
    }

    @Test("a store that a process has open is refused with the process's name, and stays")
    func busy() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let watching = try await box.watch()
        let answer = try await box.run("operator", "reset", "--yes")
        #expect(answer.code == 69)
        #expect(answer.errors.contains("\(watching.id) (storefront)"), "\(answer.errors)")
        #expect(try await box.succeed("transactions").rows.count == 1)
        await watching.end(by: SIGTERM)
        try await box.succeed("operator", "reset", "--yes")
    }

    @Test("an open shop empties its own store, but not while another process has it open")
    func fromTheShop() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let watching = try await box.watch()
        try await ShopOnTerminal.run(box) { shop in
            func reset() async throws {
                shop.type(":reset")
                try await shop.see("▌ Empty the store")
                shop.press("Enter")
                try await shop.see("Empty the store?", "▌[ Back ]")
                shop.press("Right", "Enter")
            }
            try await shop.seeLine("Sepia", "owned")
            try await reset()
            try await shop.see("process \(watching.id)")
            try await shop.seeLine("Sepia", "owned")
            await watching.end(by: SIGTERM)
            try await reset()
            try await shop.seeLine(of: "Sepia", without: "owned")
            #expect(try await box.succeed("transactions", "--json").output.isEmpty)
        }
    }

    @Test("on a terminal it tells what is removed, and asks")
    func asks() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        for (typed, code) in [("n", 11), ("y", 0)] as [(String, Int32)] {
            try await ShopOnTerminal.run(box, ["operator", "reset"], waiting: false) { shop in
                try await shop.see("The keys stay", "Empty the store? [y/N]")
                shop.type(typed + "\r")
                #expect(await shop.end() == code)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: box.ledger))
    }
}
