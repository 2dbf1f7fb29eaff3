import Basics
import Foundation
import Shop
import ShopText
import StoreModel

/// A trial with what the store has seen of it.
struct TrialResult {
    var trial: Trial
    /// In the person's language.
    var area: String
    /// The oldest first; empty if the trial was not seen.
    var evidence: [LogLine]
    /// The transactions of the evidence.
    var signed: [SignedTransaction]

    var isSeen: Bool { !evidence.isEmpty }
    var title: String { trial.title.text(in: Output.strings.language.code) }
    var how: String { Output.strings.how(trial) }
    var commands: [String] { trial.commands.map { "storefront " + $0 } }

    /// "event 12  2027-01-31T09:00:00Z  sold  lantern.coins.10  1000001".
    static func text(_ line: LogLine) -> String {
        let kind = line.kind.name
        // The kind of an entry of the device's log is that of several occurrences, or its name.
        let fact = if case .entry = line { line.facts.filter { $0 != kind } } else { [String]() }
        let parts: [String?] = [
            Output.strings.number(of: line), Output.strings.date(line.happenedAt),
            ([kind] + fact).joined(separator: " "), line.productID?.rawValue,
            line.transaction?.description,
        ]
        return UntrustedText.clean(parts.compactMap(\.self).joined(separator: "  "))
    }

    /// For a person who asked for this trial.
    var lines: [String] {
        let strings = Output.strings
        func part(_ title: TrialsText, _ texts: [String]) -> [String] {
            texts.isEmpty ? [] : [strings[title] + ":"] + texts.map { "  " + $0 }
        }
        return ["\(title) (\(area)): \(strings[isSeen ? TrialsText.seen : .notSeen])"]
            + part(.trialHow, [how]) + part(.trialCommands, commands)
            + part(.trialSeenBy, trial.seen) + part(.trialEvidence, evidence.map(Self.text))
            + part(.trialSigned, signed.map(\.rawValue))
    }

    var fields: JSONFields {
        [
            "trial": trial.id, "area": trial.area, "title": title, "isSeen": isSeen, "how": how,
            "commands": commands, "seenBy": trial.seen,
            "evidence": evidence.map { line -> JSONFields in
                switch line {
                case .event(let event): event.historyFields
                case .entry(let entry):
                    [
                        "event": line.kind.name, "logNumber": entry.number, "at": entry.at,
                        "productId": line.productID, "facts": line.facts,
                    ]
                }
            }, "signedTransactionInfo": signed.map(\.rawValue),
        ]
    }
}

/// What testers hand in: all trials, what the store has seen of each, and the proof.
struct TrialReport {
    enum Format: String {
        case markdown = "md"
        case junit = "xml"

        /// By the ending of a file's name; nil for another ending.
        init?(path: String) {
            self.init(rawValue: (path as NSString).pathExtension.lowercased())
        }
    }

    var app: String
    var environment: String
    var at: Timestamp
    var results: [TrialResult]

    private var strings: Strings { Output.strings }
    private var seen: Int { results.count(where: \.isSeen) }

    func text(_ format: Format) -> String {
        switch format {
        case .markdown: markdown
        case .junit: junit
        }
    }

    // MARK: - Markdown

    private var markdown: String {
        var lines = [
            "# " + Self.inMarkdown(strings[.reportTitle(app: app)]), "",
            Self.inMarkdown(
                strings[.reportStore(environment: environment, date: strings.date(at))]),
            "", strings[.trialsSeen(seen, of: results.count)], "",
        ]
        let titles: [ColumnText] = [.columnState, .columnArea, .columnTitle, .columnEvidence]
        lines.append(Self.row(titles.map { strings[$0] }))
        lines.append(Self.row(titles.map { _ in "---" }))
        for result in results {
            let proof = result.evidence.map { strings.number(of: $0) }
            lines.append(
                Self.row(
                    [
                        strings[result.isSeen ? TrialsText.seen : .notSeen], result.area,
                        result.title,
                        result.isSeen ? strings.list(proof) : result.how,
                    ].map(Self.inMarkdown)))
        }
        for result in results where result.isSeen {
            lines += ["", "## " + Self.inMarkdown(result.title), "", "```"]
            lines += result.evidence.map(TrialResult.text) + result.signed.map(\.rawValue)
            lines.append("```")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |"
    }

    /// A text of a catalog or a list may not make a heading, a link, a cell or HTML.
    static func inMarkdown(_ text: String) -> String {
        UntrustedText.clean(text).unicodeScalars.reduce(into: "") { result, scalar in
            if #"\`*_{}[]<>#|!"#.unicodeScalars.contains(scalar) { result.append("\\") }
            result.unicodeScalars.append(scalar)
        }
    }

    // MARK: - JUnit

    private var junit: String {
        let count = "tests=\"\(results.count)\" failures=\"0\" errors=\"0\""
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuite name=\(Self.attribute(strings[.reportTitle(app: app)])) \(count) "
                + "skipped=\"\(results.count - seen)\" "
                + "timestamp=\(Self.attribute(Strings.english.date(at)))>",
        ]
        for result in results {
            let name = Self.attribute(result.title)
            lines.append("  <testcase classname=\(Self.attribute(result.trial.id)) name=\(name)>")
            if result.isSeen {
                let proof = result.evidence.map(TrialResult.text) + result.signed.map(\.rawValue)
                lines.append(
                    "    <system-out>"
                        + proof.map(Self.inXML).joined(separator: "\n") + "</system-out>")
            } else {
                lines.append("    <skipped message=\(Self.attribute(result.how))/>")
            }
            lines.append("  </testcase>")
        }
        return (lines + ["</testsuite>"]).joined(separator: "\n") + "\n"
    }

    private static func attribute(_ text: String) -> String { "\"\(inXML(text))\"" }

    /// Without the characters that XML cannot have. By scalars: a combining mark makes one character
    /// with the sign before it.
    static func inXML(_ text: String) -> String {
        UntrustedText.clean(text).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{FFFE}", "\u{FFFF}": break
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
