import ArgumentParser
import Basics
import Foundation
import ShopText
import StoreCatalog
import StoreEngine
import StoreHost
import StoreModel

struct CatalogCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog", abstract: "Check a catalog file, or export one for Xcode.",
        subcommands: [Check.self, Export.self])

    struct Check: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Print every problem, with its place in the file.",
            discussion: """
                Reads our catalogs (catalog.json) and Xcode's .storekit files, versions 1 to 6, \
                also as a folder. Exit code 65 if it cannot be sold from, or sells nothing; with \
                --strict also for warnings. With --json, one object for each problem. Each has a \
                code, by which the guide explains it. Warns, too, of rules of sale that an author \
                hardly means: a lasting product that opens nothing, nothing to restore, a trial \
                longer than its plan's period, a price that is rounded, a text that repeats that of \
                another language. With --store also what that store would refuse: a product that \
                was sold keeps its type, its group and its hosting. A store that does not exist yet \
                refuses nothing. Makes no store.

                EXAMPLES
                  storefront catalog check catalog.json
                  storefront catalog check Products.storekit --json
                  storefront catalog check catalog.json --strict
                  storefront catalog check catalog.json --store ~/.local/share/storefront/ID
                """)

        @Argument(help: ArgumentHelp("The file or .storekit folder.", valueName: "file"))
        var file: String

        @Flag(help: "Warnings are errors: exit code 65.")
        var strict = false

        @OptionGroup var folder: FolderPart
        @OptionGroup var language: LanguagePart
        @OptionGroup var json: JSONPart

        func run() async throws {
            try await reporting(options) { try await check() }
        }

        private func check() async throws {
            var reading = CatalogReader.read(path: file)
            if let store = options.store, let catalog = reading.catalog {
                let address = try StoragePaths.current.store(
                    option: store, bundleID: catalog.bundleID)
                let problems = try await problems(of: catalog, reading.path, at: address)
                if problems == nil { Output.note(.noStoreToCompare(path: address.text)) }
                reading.problems += problems ?? []
                if problems?.isEmpty == false { reading.catalog = nil }
            }
            reading.problems += CatalogReader.lints(of: reading)
            if strict {
                for index in reading.problems.indices {
                    reading.problems[index].severity = .error
                }
            }
            for problem in reading.problems {
                try write(json: problem) {
                    Output.line("\(ProblemText.line(problem)) [\(problem.code.rawValue)]")
                }
            }
            if !options.json {
                reading.catalog.flatMap(CatalogNotice.settings).map(Output.line)
                Output.line(summary(reading))
            }
            if !reading.errors.isEmpty || reading.catalog?.sellsNothing ?? true {
                throw Exit.badCatalog
            }
        }

        /// Nil if there is no store.
        private func problems(
            of catalog: Catalog, _ path: String, at address: StoreAddress
        ) async throws(StoreError) -> [CatalogProblem]? {
            switch address {
            case .folder(let folder):
                return try await StoreHost.problems(of: catalog, path: path, inStoreAt: folder)
            case .database(let address):
                let databases = ProgramDatabases.current
                guard let database = try await address.open(by: databases, isMade: false)
                else { return nil }
                return try await StoreHost.problems(of: catalog, path: path, in: database)
            }
        }

        private func summary(_ reading: CatalogReading) -> DocumentLineText {
            let warnings = reading.warnings.count
            guard let catalog = reading.catalog, reading.errors.isEmpty else {
                return .catalogInvalid(errors: reading.errors.count, warnings: warnings)
            }
            if catalog.sellsNothing { return .catalogSellsNothing(warnings: warnings) }
            return .catalogValid(products: catalog.products.count, warnings: warnings)
        }
    }

    struct Export: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write the catalog in force as a .storekit file.",
            discussion: """
                A catalog that was opened from a .storekit file is written as it was, with its \
                offers and everything that is not supported here; only settings that were changed \
                since are new: Ask to Buy and storefront of the account, failures, renewal rate. \
                The private key for promotional offers is never kept, so the file has none. Any \
                other catalog is written from scratch, at the prices of the account's storefront; \
                what a .storekit file cannot hold is listed. An existing file is left alone \
                without --force.

                EXAMPLES
                  storefront catalog export Lantern.storekit
                  storefront catalog export New.storekit --catalog Old.storekit --force
                """)

        @Argument(help: ArgumentHelp("The .storekit file to write.", valueName: "file"))
        var file: String

        @Flag(help: "Replace the file if there is one.")
        var force = false

        @OptionGroup var given: AccountOperatorOptions

        func run() async throws {
            try await reporting(options) { try await export() }
        }

        private func export() async throws {
            let store = try await options.openForOperator()
            let export = try await store.engine.storeKitExport(for: store.account)
            try Output.write(Data(export.bytes), to: file, replaces: force)
            for omission in export.omissions {
                try write(json: omission) { Output.line(ProblemText.line(omission)) }
            }
            if !options.json {
                Output.line(.catalogExported(path: file, products: export.productCount))
            }
        }
    }
}
