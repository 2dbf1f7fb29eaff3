import Foundation
import Testing

@Suite("the library in the shop", .withProgram, .inTurn)
struct ShopLibraryTests {
    /// The first line of the text, below the title.
    private static func firstLine(_ screen: String) -> String {
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count > 6 ? String(lines[5]) : ""
    }

    @Test("a book that was bought is read, and continues where it was left [A10]")
    func reading() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.book.lighthouse.1")
        var left = ""
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.press("2")
            try await shop.see("ON THIS DEVICE", "The Lighthouse, part one")
            shop.press("Enter")
            try await shop.see("[ Read ]")
            shop.press("Enter")
            try await shop.see("The boat to Skerrow went every second Thursday", "0%")
            shop.press("NPage")
            let screen = try await shop.see("the next page") {
                !$0.contains("every second Thursday") && $0.contains("%")
            }
            left = Self.firstLine(screen)
            shop.press("q")
            try await shop.see("ended 0")
        }
        #expect(!left.isEmpty)
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.press("2", "Enter")
            try await shop.see("[ Read ]")
            shop.press("Enter")
            try await shop.see("the same page") { [left] in Self.firstLine($0) == left }
            shop.press("]")
            try await shop.see("2 of 3")
        }
    }

    @Test("an owned theme changes the colours, also at the next start, until it is refunded [A7]")
    func themes() async throws {
        let box = try Sandbox()
        let background = "48;5;234"
        try await box.succeed("buy", "lantern.theme.sepia")
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            #expect(!shop.writtenText.contains(background))
            shop.press("2", "Enter")
            try await shop.see("[ Use ]")
            shop.press("Enter")
            try await shop.waitForOutput(background)
            try await shop.see("[ Use the standard theme ]")
        }
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            try await shop.waitForOutput(background)
            shop.press("2")
            try await shop.seeLine("Sepia", "✓ in use")
            try await box.succeed("operator", "refund", "1000001")
            try await shop.seeLine("Standard theme", "✓ in use")
            try await shop.seeLine("Sepia", "$0.99")
        }
    }
}
