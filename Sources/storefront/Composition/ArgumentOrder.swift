import Basics
import ArgumentParser

/// Moves global options behind the subcommand: `storefront --json buy ID` means `storefront buy
/// --json ID`. The parser accepts them only behind it.
enum ArgumentOrder {
    static func globalsLast(
        _ arguments: [String], of root: any ParsableCommand.Type
    ) -> [String] {
        var words: [String] = []
        var globals: [String] = []
        var command = root
        var rest = arguments[...]
        while let next = rest.first {
            if GlobalOptions.flags.contains(next) || isAssignment(next) {
                globals.append(next)
                rest = rest.dropFirst()
            } else if GlobalOptions.valued.contains(next) {
                // The option with its value. If the value is missing, the parser reports that.
                globals += rest.prefix(2)
                rest = rest.dropFirst(2)
            } else if let found = subcommand(next, of: command) {
                words.append(next)
                command = found
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return words + globals + rest
    }

    /// The error for a first word that is no command, with the most similar command; nil if it is
    /// one. Without this check the default command would read the word as a product.
    static func refusal(of arguments: [String], by root: any ParsableCommand.Type) -> String? {
        guard var word = firstWord(arguments[...]) else { return nil }
        if word == "help" {
            // The argument of `help` names a command as well.
            let rest = arguments.drop { $0 != word }.dropFirst()
            guard let asked = rest.first else { return nil }
            word = asked
        }
        let names = root.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !word.hasPrefix("-"), !names.contains(word), word != "help" else { return nil }
        let message = "There is no command \(UntrustedText.quote(word))."
        guard let nearest = SpellingSuggestion.nearest(to: word, among: names) else {
            return message
        }
        return message + " Did you mean \"\(nearest)\"?"
    }

    /// The error for a word in the place of a subcommand that is near to one, as in `device bakend`;
    /// nil for any other. Only for arguments that the parser has refused: a default subcommand may
    /// take such a word.
    static func slip(in arguments: [String], of root: any ParsableCommand.Type) -> String? {
        var (command, path) = (root, [String]())
        var rest = arguments[...]
        while let word = firstWord(rest), let place = rest.firstIndex(of: word) {
            rest = rest[(place + 1)...]
            if let found = subcommand(word, of: command) {
                command = found
                path.append(word)
                continue
            }
            let names = command.configuration.subcommands.compactMap {
                $0.configuration.commandName
            }
            guard !path.isEmpty, !word.hasPrefix("-"),
                let nearest = SpellingSuggestion.nearest(to: word, among: names)
            else { return nil }
            let group = path.joined(separator: " ")
            return "There is no command \(UntrustedText.quote("\(group) \(word)")). "
                + "Did you mean \"\(group) \(nearest)\"?"
        }
        return nil
    }

    /// The first argument that is no global option.
    private static func firstWord(_ arguments: ArraySlice<String>) -> String? {
        var rest = arguments
        while let next = rest.first {
            if GlobalOptions.flags.contains(next) || isAssignment(next) {
                rest = rest.dropFirst()
            } else if GlobalOptions.valued.contains(next) {
                rest = rest.dropFirst(2)
            } else {
                return next
            }
        }
        return nil
    }

    /// Whether the argument is an option with its value, such as `--store=folder`.
    private static func isAssignment(_ argument: String) -> Bool {
        guard let sign = argument.firstIndex(of: "=") else { return false }
        return GlobalOptions.valued.contains(String(argument[..<sign]))
    }

    private static func subcommand(_ word: String, of command: any ParsableCommand.Type)
        -> (any ParsableCommand.Type)?
    {
        command.configuration.subcommands.first { $0.configuration.commandName == word }
    }
}

extension GlobalOptions {
    /// The names of the global options, for code that reads arguments before the parser does.
    static let valued = [
        "--store", "--catalog", "--bundle-id", "--app-apple-id", "--environment", "--account",
        "--device", "--territory", "--locale", "--language", "--bandwidth", "--parallel", "--clock",
        "--as",
    ]
    static let flags = ["--customer", "--ephemeral", "--json", "--csv"]
}
