import ArgumentParser
import ShopText
import StoreCatalog
import StoreHost

struct CatalogCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog", abstract: "Look at a catalog file.", subcommands: [Check.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print every problem, with its place in the file.",
            discussion: """
                Reads our catalogs (catalog.json) and Xcode's .storekit files, versions 1 to 5, \
                also as a folder. Exit code 65 if it cannot be sold from. With --json, one object \
                for each problem. With --store also what that store would refuse: a product that \
                was sold keeps its type, its group and its hosting. Makes no store.

                EXAMPLES
                  storefront catalog check catalog.json
                  storefront catalog check Products.storekit --json
                  storefront catalog check catalog.json --store ~/.local/share/storefront/ID
                """)

        @Argument(help: ArgumentHelp("The file or .storekit folder.", valueName: "file"))
        var file: String

        @OptionGroup var given: FileOptions
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await reporting(options) { try await check() }
        }

        private func check() async throws {
            var reading = CatalogReader.read(path: file)
            if let store = options.store, let catalog = reading.catalog {
                let problems = try await StoreHost.problems(
                    of: catalog, path: reading.path,
                    inStoreAt: StoragePaths.current.storeFolder(
                        option: store, bundleID: catalog.bundleID))
                reading.problems += problems
                if !problems.isEmpty { reading.catalog = nil }
            }
            for problem in reading.problems {
                if options.json {
                    try Output.json(problem)
                } else {
                    Output.line(ProblemText.line(problem))
                }
            }
            if !options.json { Output.line(summary(reading)) }
            if reading.catalog == nil { throw Exit.badCatalog }
        }

        private func summary(_ reading: CatalogReading) -> CommandText {
            let warnings = reading.warnings.count
            guard let catalog = reading.catalog else {
                return .catalogInvalid(errors: reading.errors.count, warnings: warnings)
            }
            return .catalogValid(products: catalog.products.count, warnings: warnings)
        }
    }
}
