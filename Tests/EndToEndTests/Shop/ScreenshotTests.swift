import Foundation
import Testing

@Suite("screenshots", .withProgram, .inTurn)
struct ScreenshotTests {
    @Test(
        "a text screenshot can have any size",
        arguments: ["80x24", "40x12", "1x1", "200x60", "39x12"])
    func text(size: String) async throws {
        let box = try Sandbox()
        let answer = try await box.succeed("screenshot", "--size", size)
        let numbers = size.split(separator: "x").compactMap { Int($0) }
        let lines = answer.output.split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        #expect(lines.count <= numbers[1])
        #expect(lines.allSatisfy { $0.count <= numbers[0] })
        #expect(!answer.output.contains("\u{1B}"))
        if numbers[0] >= 40 { #expect(answer.output.contains("▌")) }
    }

    @Test("a screenshot shows the same as the terminal")
    func same() async throws {
        let box = try Sandbox()
        let shot = try await box.succeed("screenshot", "--keys", "down,enter")
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.press("Down", "Enter")
            let screen = try await shop.see("lantern.book.lighthouse.2")
            let trim = { (text: String) in
                text.split(separator: "\n").map { line in
                    String(line.reversed().drop { $0 == " " }.reversed())
                }
            }
            #expect(trim(screen).filter { !$0.isEmpty } == trim(shot.output).filter { !$0.isEmpty })
        }
    }

    @Test(
        "an approved sale that nobody has delivered yet is shown as sold, not as waiting")
    func approvedSale() async throws {
        for _ in 1...3 {
            let box = try Sandbox()
            try await box.succeed("operator", "ask-bank", "on")
            let asked = try await box.run("buy", "lantern.theme.sepia", "--no-wait", "--json")
            let number = try #require(asked.object["requestId"].text)
            try await box.succeed("operator", "approve", number)
            let shot = try await box.succeed("screenshot", "--size", "120x40")
            #expect(shot.output.contains(/Sepia +\$0.99 +✓ owned/), "\(shot.output)")
            #expect(shot.output.contains("2 Library 1"), "\(shot.output)")
            #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
        }
    }

    @Test("an ANSI screenshot has escape sequences, and none for colors in mono")
    func ansi() async throws {
        let box = try Sandbox()
        let answer = try await box.succeed("screenshot", "--format", "ansi")
        #expect(answer.output.contains("\u{1B}["))
        let mono = try await box.succeed("screenshot", "--format", "ansi", "--colors", "mono")
        #expect(mono.output.firstMatch(of: /\x1B\[[0-9;]*\b[34][0-8]\b/) == nil)
    }

    @Test("an SVG screenshot is a complete document")
    func svg() async throws {
        let box = try Sandbox()
        let answer = try await box.succeed("screenshot", "--format", "svg", "--keys", "o")
        #expect(answer.output.hasPrefix("<svg ") || answer.output.hasPrefix("<?xml "))
        #expect(answer.output.hasSuffix("</svg>\n"))
        #expect(answer.output.contains("Console"))
        // The letters keep their shapes in every font.
        #expect(!answer.output.contains("spacingAndGlyphs"))
    }

    @Test("a picture has the colours of its theme", arguments: ["dark", "light", "sepia", "sea"])
    func themes(name: String) async throws {
        let backgrounds = [
            "dark": "#16181d", "light": "#ffffff", "sepia": "#211a13", "sea": "#071d2e",
        ]
        let background = try #require(backgrounds[name])
        let box = try Sandbox()
        let picture = try await box.succeed("screenshot", "--format", "svg", "--theme", name)
        #expect(
            picture.output.contains(
                "<rect width=\"100%\" height=\"100%\" fill=\"\(background)\"/>"))
        let text = try await box.succeed(
            "screenshot", "--format", "ansi", "--colors", "truecolor", "--theme", name)
        // A theme without its own background leaves the terminal's.
        #expect(text.output.contains(";48;2;") == (name == "sepia" || name == "sea"))
        #expect(text.output.contains(";38;2;"))
    }

    @Test("without colours, a picture has the page's two only")
    func monoPicture() async throws {
        let picture = try await Sandbox().succeed("screenshot", "--format", "svg", "--theme=mono")
        let colors = Set(picture.output.matches(of: /#[0-9a-f]{6}/).map { String($0.output) })
        #expect(colors == ["#16181d", "#d7dae0"])
    }

    @Test("in a picture, a bar is rectangles and not text")
    func bars() async throws {
        let picture = try await Sandbox().succeed(
            "screenshot", "--demo", "--format", "svg", "--size", "120x40")
        #expect(!picture.output.contains { "█▌─│".contains($0) })
        #expect(picture.output.contains("shape-rendering=\"crispEdges\""))
    }

    @Test("keys given to a screenshot act as in the shop")
    func keys() async throws {
        let box = try Sandbox()
        let bought = try await box.succeed(
            "screenshot", "--keys", "/,s,e,p,i,a,enter,b,right,enter")
        #expect(bought.output.contains("Bought Sepia"))
        #expect(try await box.succeed("transactions", "--json").json.count == 1)
        let ascii = try await box.succeed("screenshot", "--ascii")
        #expect(ascii.outputBytes.allSatisfy { $0 < 0x80 })
    }

    /// The demo's catalog with a name that is too long, which is a warning.
    private func catalogWithWarning(in box: Sandbox) throws -> String {
        try box.copyContent()
        let text = try String(contentsOfFile: Program.catalog, encoding: .utf8)
        let long = String(repeating: "long ", count: 60) + "name"
        return try box.file(
            "long.json", text.replacing("\"en\": \"Sepia\"", with: "\"en\": \"\(long)\""))
    }

    @Test("the warnings of a catalog are counted in a message, and the history lists each")
    func warnings() async throws {
        let box = try Sandbox()
        let file = try catalogWithWarning(in: box)
        let asked = ["screenshot", "--catalog", file, "--size", "120x40", "--keys", "3"]
        let history = try await box.run(asked).output
        #expect(history.contains("The catalog has 1 warning; the history lists it."), "\(history)")
        #expect(history.contains("catalog     warning: products["), "\(history)")
        // The next shop has the log entry, but no message.
        let later = try await box.run(asked).output
        #expect(!later.contains("The catalog has"), "\(later)")
        #expect(later.contains("catalog     warning: products["), "\(later)")
    }

    @Test(
        "an invalid size or key is refused",
        arguments: ["--size=0x0", "--size=80", "--size=1000x1000", "--keys=enterr", "--theme=pink"])
    func refused(option: String) async throws {
        #expect(try await Sandbox().run("screenshot", option).code == 64)
    }
}
