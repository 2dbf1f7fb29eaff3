import ArgumentParser
import Basics
import Foundation
import Shop
import ShopText
import StoreDevice
import StoreEngine
import StoreModel

struct Trials: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trials",
        abstract: "What a tester should have seen happen, ticked by the store itself.",
        discussion: """
            A trial is ticked when the history of the store, or the log of this device, shows that \
            it happened, by key or by command.

            EXAMPLES
              storefront trials --missing
              storefront trials consumable
              storefront trials --report trials.md
              storefront trials reset
            """,
        subcommands: [List.self, Reset.self], defaultSubcommand: List.self)

    struct List: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "The trials, or one of them with its evidence.",
            discussion: """
                A list of your own is a JSON file like Documentation/trials.json; its mistakes are \
                printed with their places, and exit code 65. $STOREFRONT_TRIALS names it for the \
                shop, too. A report is Markdown or JUnit's XML, by the ending of its name; there a \
                trial that is not seen is skipped. With --json one trial a line, with the signed \
                texts of its transactions.
                """)

        @Argument(help: ArgumentHelp("Only this trial, and how it is done.", valueName: "trial"))
        var trial: String?

        @Option(
            name: .customLong("list"),
            help: ArgumentHelp("Another list ($STOREFRONT_TRIALS).", valueName: "file"))
        var file: String?

        @Option(help: ArgumentHelp("Only trials of this area.", valueName: "area"))
        var area: String?

        @Flag(help: "Only trials that are not seen yet.")
        var missing = false

        @Option(help: ArgumentHelp("Write a report: FILE.md or FILE.xml.", valueName: "file"))
        var report: String?

        @OptionGroup var given: DeviceOperatorOptions

        func validate() throws {
            guard let report, TrialReport.Format(path: report) == nil else { return }
            throw ValidationError(
                "--report \(UntrustedText.quote(report)): the name must end in .md or .xml.")
        }

        func run(in store: OpenStore) async throws {
            let list = try await TrialListFile.read(file, for: store)
            let device = try? await store.deviceToRead()
            let (lines, settings) = try await TrialHistory.lines(of: store.console, device)
            let ticks = TrialTicks(list, in: lines, of: device?.account, after: settings)
            let trials = try chosen(from: list).filter {
                !missing || ticks.evidence[$0.id] == nil
            }
            var results: [TrialResult] = []
            for trial in trials {
                let evidence = ticks.evidence[trial.id] ?? []
                let isWhole = self.trial != nil || report != nil || options.json
                results.append(
                    TrialResult(
                        trial: trial,
                        area: list.areaName(trial.area, in: Output.strings.language.code),
                        evidence: evidence,
                        signed: isWhole ? await Self.signed(evidence, in: store) : []))
            }
            if let report { return try write(results, to: report, of: store) }
            if options.json { return try results.forEach { try Output.json($0.fields) } }
            if trial != nil { return results.forEach { $0.lines.forEach(Output.line) } }
            try await show(results)
        }

        private func chosen(from list: TrialList) throws -> [Trial] {
            if let area, !list.areas.contains(where: { $0.id == area }) {
                let areas = list.areas.map(\.id)
                throw UnknownWord.error(
                    "area", area, among: areas,
                    advice:
                        "The list has \(areas.isEmpty ? "none" : areas.joined(separator: ", ")).")
            }
            if let trial, !list.trials.contains(where: { $0.id == trial }) {
                throw UnknownWord.error(
                    "trial", trial, among: list.trials.map(\.id),
                    advice: "See them all with: storefront trials")
            }
            return list.trials.filter {
                (area == nil || $0.area == area) && (trial == nil || $0.id == trial)
            }
        }

        private func show(_ results: [TrialResult]) async throws {
            let strings = Output.strings
            var list = ListOutput(.table)
            try await list.write(results, line: { $0.fields }) {
                [
                    Column(.columnTrial) { $0.trial.id }, Column(.columnArea) { $0.area },
                    Column(.columnState) { strings[$0.isSeen ? TrialsText.seen : .notSeen] },
                    Column(.columnTitle, mayBeCut: true) { $0.title },
                    Column(.columnEvidence, mayBeCut: true) { result in
                        strings.list(result.evidence.map { strings.number(of: $0) })
                    },
                ]
            }
            if results.isEmpty { return Output.note(strings[.noTrials]) }
            Output.note(strings[.trialsSeen(results.count(where: \.isSeen), of: results.count)])
        }

        private func write(
            _ results: [TrialResult], to path: String, of store: OpenStore
        ) throws {
            guard let format = TrialReport.Format(path: path) else { return }
            let report = TrialReport(
                app: store.appName ?? store.engine.identity.bundleID,
                environment: store.engine.identity.environment.rawValue, at: store.now,
                results: results)
            try Output.write(Data(report.text(format).utf8), to: path, replaces: true)
            if !options.json { Output.line(Output.strings[.reportWritten(path: path)]) }
        }

        /// The transactions of the evidence as the store signs them now, each once. Without those
        /// that were deleted.
        private static func signed(
            _ evidence: [LogLine], in store: OpenStore
        ) async -> [SignedTransaction] {
            var signed: [SignedTransaction] = []
            var known: Set<TransactionID> = []
            for id in evidence.compactMap(\.transaction) where known.insert(id).inserted {
                guard let text = try? await store.console.transaction(id) else { continue }
                signed.append(text)
            }
            return signed
        }
    }

    struct Reset: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Count trials anew: only what happens from now on ticks them.",
            discussion: """
                Removes nothing: that the count begins here is a value of the account, in the \
                store's history (valueChanged), so it holds for every device.
                """)

        @OptionGroup var given: DeviceOperatorOptions

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            try await device.refuseSignedOut()
            let isSent = try await device.setValue(
                TrialHistory.reset(on: device, unique: UUID()))
            try write(json: ["trialsReset": true, "isSent": isSent] as JSONFields) {
                Output.line(Output.strings[.trialsReset(isSent: isSent)])
            }
        }
    }
}
