import Foundation
import Testing

/// `watch`: lines for people on a terminal, JSON elsewhere.
@Suite("watching", .withProgram, .inTurn)
struct WatchTests {
    @Test("on a terminal, watch writes a line for people about what another process buys")
    func forPeople() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, ["watch"], waiting: false) { watching in
            try await watching.see("terminal")
            try await box.succeed("buy", "lantern.theme.sepia")
            try await watching.seeLine("purchased", "Sepia", "1000001")
            try await watching.seeLine("finished", "Sepia", "1000001")
            // The output has no signed text and no JSON.
            #expect(!watching.writtenText.contains("eyJ") && !watching.writtenText.contains("{"))
        }
    }

    @Test("on a terminal with --json, and in a pipe, watch writes a JSON object a line [C9]")
    func asJSON() async throws {
        let box = try Sandbox()
        let watching = try await box.watch()
        try await ShopOnTerminal.run(box, ["watch", "--json"], columns: 500, waiting: false) {
            onTerminal in
            try await onTerminal.see("{\"delivers\":false")
            try await box.succeed("buy", "lantern.theme.sepia")
            let sent = await watching.next { $0["event"].text == "purchasing" }
            #expect(sent?["productId"].text == "lantern.theme.sepia")
            let sale = await watching.next { $0["event"].text == "transaction" }
            #expect(sale?["transaction"]["productId"].text == "lantern.theme.sepia")
            try await onTerminal.see("\"event\":\"transaction\"")
        }
        await watching.end(by: SIGKILL)
    }
}
