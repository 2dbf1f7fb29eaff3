import Foundation

/// A page of the manual, whose ```` ```console ```` blocks are commands with what they print.
///
/// A command begins with `$ ` and continues on lines that begin with `> `; the lines after it are its
/// output, standard error included. `# exit code 12` at its end tells its exit code, else it is 0.
/// In the output `…` stands for any text within a line, and a line of it alone for any lines. Dates,
/// UUIDs and hashes are those of the day on which the page was written.
struct ConsolePage {
    struct Command {
        /// The index of its first line in the page.
        var start: Int
        var words: [String]
        var output: [String] = []

        var firstOutput: Int { start + words.count }
        var code: Int32 {
            let named = words.last?.firstMatch(of: /# exit code (\d+)$/)
            return named.flatMap { Int32($0.1) } ?? 0
        }
    }

    /// What a command printed, and its exit code.
    struct Answer {
        var output: [String]
        var code: Int32
    }

    let lines: [String]
    let commands: [Command]

    init(_ text: String) {
        lines = text.components(separatedBy: "\n")
        var commands: [Command] = []
        var isConsole = false
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
            } else if isConsole, line.hasPrefix("$ ") {
                commands.append(Command(start: index, words: [String(line.dropFirst(2))]))
            } else if isConsole, let last = commands.indices.last {
                if line.hasPrefix("> "), commands[last].output.isEmpty {
                    commands[last].words.append(String(line.dropFirst(2)))
                } else {
                    commands[last].output.append(line)
                }
            }
        }
        self.commands = commands
    }

    /// The commands for one shell, which marks the end of each with its exit code.
    var script: String {
        "exec 2>&1\n"
            + commands.map {
                $0.words.joined(separator: "\n") + "\nprintf '\\036%d\\n' $?\n"
            }.joined()
    }

    /// The answers of the commands, from what the script printed; fewer if the shell ended early.
    static func answers(_ printed: String) -> [Answer] {
        var answers: [Answer] = []
        var output: Substring = ""
        for (index, part) in printed.split(
            separator: "\u{1E}", omittingEmptySubsequences: false
        ).enumerated() {
            var rest = part
            if index > 0 {
                let code = part.prefix { $0 != "\n" }
                rest = part.dropFirst(code.count + 1)
                let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
                    .map { String($0.replacing(/[ ]+$/, with: "")) }
                answers.append(
                    Answer(output: lines.withoutEmptyEnd, code: Int32(code) ?? -1))
            }
            output = rest
        }
        return answers
    }

    /// The first line of the output that is not as the page has it, counted from the command's
    /// first line of output; nil if all are.
    static func difference(_ documented: [String], _ found: [String]) -> Int? {
        let documented = documented.withoutEmptyEnd.map { steady($0) }
        let found = found.map { steady($0) }
        if agree(documented[...], found[...]) { return nil }
        for (index, (line, other)) in zip(documented, found).enumerated() {
            guard line != "…" else { return index }
            guard agree(line, other) else { return index }
        }
        return min(documented.count, found.count)
    }

    private static func agree(
        _ documented: ArraySlice<String>, _ found: ArraySlice<String>
    ) -> Bool {
        guard let line = documented.first else { return found.isEmpty }
        let rest = documented.dropFirst()
        if line == "…" {
            return (found.startIndex...found.endIndex).contains { agree(rest, found[$0...]) }
        }
        guard let other = found.first, agree(line, other) else { return false }
        return agree(rest, found.dropFirst())
    }

    private static func agree(_ documented: String, _ found: String) -> Bool {
        let pieces = documented.components(separatedBy: "…")
        guard pieces.count > 1, let first = pieces.first, let last = pieces.last else {
            return documented == found
        }
        guard found.hasPrefix(first) else { return false }
        var rest = found.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let place = rest.range(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    /// The line without what differs from day to day and from store to store.
    private static func steady(_ line: String) -> String {
        line.replacing(
            /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+\-]\d\d:\d\d)?)?/,
            with: "*date*"
        )
        .replacing(/[\da-f]{8}-[\da-f\-]{27}/, with: "*id*")
        .replacing(/[\da-fA-F]{32,}/, with: "*hash*")
    }

    /// The page with the output that was found, where it differs from the documented one.
    func written(with answers: [Answer]) -> String {
        var lines = lines
        for (command, answer) in zip(commands, answers).reversed()
        where Self.difference(command.output, answer.output) != nil {
            let end = command.firstOutput + command.output.count
            lines.replaceSubrange(command.firstOutput..<end, with: answer.output)
        }
        return lines.joined(separator: "\n")
    }
}

extension [String] {
    fileprivate var withoutEmptyEnd: [String] {
        Array(prefix((lastIndex { !$0.isEmpty } ?? -1) + 1))
    }
}
