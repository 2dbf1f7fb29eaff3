import ArgumentParser
import Foundation

struct ManualCommand: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Print the manual page of all commands, for man(1).",
        discussion: """
            EXAMPLES
              storefront manual > storefront.1
              storefront manual | man -l -
            """)

    func run() async throws {
        try await reporting(options) {
            Output.line(ManualPage(of: try HelpTables.ofProgram().command).text)
        }
    }
}

/// What `--experimental-dump-help` tells: the tables of which every help text is made.
struct HelpTables: Decodable {
    struct Command: Decodable {
        var commandName: String
        var abstract: String?
        var discussion: String?
        var arguments: [Argument]?
        var subcommands: [Command]?
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
            var spelled: String { (kind == "long" ? "--" : "-") + name }
        }
        var kind: String
        var names: [Name]?
        var valueName: String?
        var abstract: String?
        var defaultValue: String?
        var allValues: [String]?

        /// Whether many commands share it, so that the page explains it once.
        var isShared: Bool {
            let shared = GlobalOptions.valued + GlobalOptions.flags + ["--help", "--version"]
            return (names ?? []).contains { shared.contains($0.spelled) }
        }
    }

    var command: Command

    /// The parser gives the tables as the text of an error.
    static func ofProgram() throws -> HelpTables {
        var text = ""
        do { _ = try StorefrontCommand.parseAsRoot(["--experimental-dump-help"]) } catch {
            text = StorefrontCommand.fullMessage(for: error)
        }
        return try JSONDecoder().decode(HelpTables.self, from: Data(text.utf8))
    }
}

/// A manual page in the macros of man(7).
struct ManualPage {
    private(set) var text = ""
    /// The options that many commands share, in the order in which they were met.
    private var shared: [HelpTables.Argument] = []

    init(of program: HelpTables.Command) {
        let name = program.commandName
        add(".TH \(name.uppercased()) 1 \"\" \"\(name) \(programVersion)\" \"User Commands\"")
        add(".SH NAME\n\(name) \\- \(Self.escaped(program.abstract ?? ""))")
        add(".SH SYNOPSIS\n.B \(name)\n.RI [ command ]\n.RI [ option ...]")
        add(".SH DESCRIPTION")
        add(paragraphsOf: program.discussion, heading: ".SH")
        for group in StorefrontCommand.configuration.groupedSubcommands {
            add(".SH \(group.name.uppercased())")
            for type in group.subcommands {
                let named = program.subcommands?.first {
                    $0.commandName == type.configuration.commandName
                }
                if let named { add(named, of: [name]) }
            }
        }
        add(".SH OPTIONS OF MANY COMMANDS")
        for argument in shared { add(argument) }
    }

    private mutating func add(_ command: HelpTables.Command, of parents: [String]) {
        let words = parents + [command.commandName]
        add(".SS \(Self.escaped(words.joined(separator: " ")))")
        add(Self.escaped(command.abstract ?? ""))
        if let discussion = command.discussion {
            add(".PP")
            add(paragraphsOf: discussion, heading: ".PP\n.B")
        }
        var also: [String] = []
        for argument in command.arguments ?? [] {
            guard argument.isShared else {
                add(argument)
                continue
            }
            also += (argument.names ?? []).suffix(1).map(\.spelled)
            let isNew = !shared.contains { $0.names?.last?.name == argument.names?.last?.name }
            if isNew { shared.append(argument) }
        }
        add(".PP\nAlso: \(Self.escaped(also.joined(separator: ", "))).")
        for subcommand in command.subcommands ?? [] { add(subcommand, of: words) }
    }

    private mutating func add(_ argument: HelpTables.Argument) {
        let value = argument.kind == "flag" ? nil : argument.valueName.map { "<\($0)>" }
        let names = (argument.names ?? []).map(\.spelled).joined(separator: ", ")
        let label = [names, value ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        var text = argument.abstract ?? ""
        if let values = argument.allValues {
            text += " (\(values.joined(separator: ", ")))"
        }
        if let value = argument.defaultValue { text += " Default: \(value)." }
        add(".TP\n.B \(Self.escaped(label))\n\(Self.escaped(text))")
    }

    /// Paragraphs are parted by an empty line. One that begins with a line of capitals has a
    /// heading, and lines that are indented stay as they are.
    private mutating func add(paragraphsOf text: String?, heading: String) {
        for (index, paragraph) in (text ?? "").components(separatedBy: "\n\n").enumerated() {
            var lines = paragraph.split(separator: "\n").map(String.init)
            if let first = lines.first, first.count > 3, first == first.uppercased() {
                add("\(heading) \(Self.escaped(first))")
                lines.removeFirst()
            } else if index > 0 {
                add(".PP")
            }
            let isFixed = lines.allSatisfy { $0.hasPrefix("  ") }
            let all = lines.map { Self.escaped($0) }.joined(separator: "\n")
            add(isFixed ? ".nf\n\(all)\n.fi" : all)
        }
    }

    private mutating func add(_ lines: String) {
        text += text.isEmpty ? lines : "\n" + lines
    }

    /// Minus signs that can be copied, and no line that begins as a macro does.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}
