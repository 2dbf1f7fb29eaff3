import ArgumentParser
import ContentPackages
import ShopText
import StoreHost
import StoreModel

extension ContentCommands {
    struct Host: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "host",
            abstract: "Put a package into the store.",
            discussion: """
                The store keeps a copy of the file by its hash, and the manifest in its ledger. The \
                package begins as uploaded; devices are offered it once it is in test (but not in \
                production) or approved, and the version before until then. Its version is greater \
                than the last one, and its product one of the catalog that was never sold without \
                hosted content.

                EXAMPLES
                  storefront content host chapters-1.1.zip
                  storefront content host chapters-1.1.zip --approve
                """)
        @Argument(help: ArgumentHelp("The package.", valueName: "file"))
        var file: String
        @Flag(help: "Walk it through all states up to approved.")
        var approve = false

        @OptionGroup var given: OperatorOptions

        func run(in store: OpenStore) async throws {
            var hosted = try await store.host.hostPackage(at: file, as: store.actor)
            if !options.json {
                Output.line(hosted.release.line(isChanged: !hosted.events.isEmpty))
            }
            if approve, hosted.release.state != .approved || !hosted.events.isEmpty {
                let before = hosted.release.state
                for state in PackageState.allCases.drop(while: { $0 != before }).dropFirst() {
                    let release = hosted.release
                    _ = try await store.console.perform(
                        .package(
                            .setState(
                                release.productID, contentID: release.contentID,
                                version: release.version, state)))
                    hosted.release.state = state
                }
                if !options.json { Output.line(hosted.release.line(isChanged: true)) }
            }
            if options.json { try Output.json(hosted.release) }
        }
    }

    struct Publish: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "publish",
            abstract: "Walk a hosted package to another state, such as approved.",
            discussion: """
                The states are uploaded, validated, ready, inTest and approved. A package that goes \
                back from approved gives way to the version before. A sold product never loses the \
                last content it has.

                EXAMPLE
                  storefront content publish lantern.book.lighthouse.1 1.1 inTest
                """)
        @Argument(help: ArgumentHelp("The product.", valueName: "product")) var product: String
        @Argument(help: ArgumentHelp("The version.", valueName: "version")) var version: String
        @Argument(
            help: ArgumentHelp(
                "uploaded, validated, ready, inTest or approved.", valueName: "state"))
        var state: String
        @Option(
            help: ArgumentHelp(
                "Which of the product's packages; by default its only one.", valueName: "id"))
        var content: String?

        @OptionGroup var given: OperatorOptions

        func validate() throws {
            try UnknownWord.check("state", state, among: PackageState.self)
        }

        func run(in store: OpenStore) async throws {
            let product = ProductID(product)
            let hosted = try await store.host.packageReleases().filter {
                $0.productID == product && content.map([$0.contentID].contains) ?? true
            }
            let releases = hosted.filter { $0.version == ContentVersion(version) }
            guard let release = releases.first, let state = PackageState(rawValue: state)
            else {
                throw StoreError(
                    .packageNotHostable, productID: product, subject: "version",
                    found: version,
                    expected: hosted.isEmpty
                        ? "a version that was hosted: storefront content host FILE"
                        : "one that was hosted: "
                            + hosted.map(\.version.text).joined(separator: ", "))
            }
            guard releases.count == 1 else {
                throw StoreError(
                    .packageNotHostable, productID: product, subject: "version", found: version,
                    expected: "--content, because several packages have it: "
                        + releases.map(\.contentID).joined(separator: ", "))
            }
            let action = PackageAction.setState(
                product, contentID: release.contentID, version: release.version, state)
            let events = try await store.console.perform(.package(action))
            guard !options.json else {
                var release = release
                release.state = state
                return try Output.json(release)
            }
            Output.line(Output.strings.done(OperatorDone(.package(action), events)))
        }
    }

    struct Hosted: OperatorCommand, ListCommand {
        static let configuration = CommandConfiguration(
            commandName: "hosted",
            abstract: "List the packages that were put into the store, with their states.",
            discussion: """
                EXAMPLE
                  storefront content hosted --json
                """)

        @OptionGroup var given: OperatorOptions

        func items(in store: OpenStore) async throws -> [PackageRelease] {
            try await store.host.packageReleases()
        }

        func none(in _: OpenStore) -> String? { Output.strings[.noPackages] }

        func columns(of _: [PackageRelease], in _: OpenStore) -> [Column<PackageRelease>] {
            [
                Column(.columnProduct) { $0.productID.rawValue },
                Column(.columnPackage) { $0.contentID },
                Column(.columnVersion) { $0.version.text },
                Column(.columnState) { $0.state.rawValue },
                Column(.columnSize, isRight: true) { Output.strings[.bytes($0.length)] },
            ]
        }
    }
}

extension PackageRelease {
    /// The line that says in which state a package is now, or was before this command.
    fileprivate func line(isChanged: Bool) -> String {
        var done = OperatorDone(
            .package(.setState(productID, contentID: contentID, version: version, state)))
        done.isChanged = isChanged
        return Output.strings.done(done)
    }
}
