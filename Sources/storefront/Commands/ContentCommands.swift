import ArgumentParser
import Basics
import ContentPackages
import ShopText
import StoreDevice
import StoreHost
import StoreModel

struct ContentCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Make, check and host packages of content; list what is here.",
        subcommands: [
            Pack.self, Inspect.self, Host.self, Publish.self, Hosted.self, List.self, Path.self,
            Remove.self, Space.self, Serve.self,
        ])

    struct Pack: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pack",
            abstract: "Make a package from a folder.",
            discussion: """
                A package is a zip file with the folder's files in Contents, and ContentInfo.plist. \
                It is refused if it could not be hosted: more than 2 GB or 20,000 files, programs, \
                links, devices, names that collide. The same folder makes the same bytes. \
                Documentation/packages.md has all rules.

                EXAMPLE
                  storefront content pack Chapters --product lantern.book.lighthouse.1 \
                --version 1.1 --output chapters-1.1.zip
                """)
        @Argument(help: ArgumentHelp("The folder with the content.", valueName: "folder"))
        var folder: String
        @Option(help: ArgumentHelp("The product that the content belongs to.", valueName: "id"))
        var product: String
        @Option(help: "The content's version, such as 1.2; greater than the last that was hosted.")
        var version: String
        @Option(
            help: ArgumentHelp(
                "Which of the product's packages it is; by default its only one.", valueName: "id"))
        var content: String?
        @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
        var output: String

        @OptionGroup var given: FileOptions
        var options: GlobalOptions { given.all }

        func validate() throws {
            guard ContentVersion(version) != nil else {
                throw ValidationError(
                    "A version is one to four numbers, such as 1.2, found "
                        + "\(UntrustedText.quote(version)).")
            }
            for name in [product, content].compactMap(\.self) where !ContentInfo.isName(name) {
                throw ValidationError(
                    "No identifier of a product or package: \(UntrustedText.quote(name)).")
            }
        }

        func run() async throws {
            try await reporting(options) {
                guard let version = ContentVersion(version) else { return }
                let result = try PackagePacker.pack(
                    folder,
                    as: ContentInfo(
                        productID: ProductID(product), version: version, contentID: content),
                    to: output)
                guard !options.json else {
                    return try Output.json(
                        PackedLine(
                            path: output, files: result.files,
                            unpackedLength: result.unpackedLength, length: result.packedLength))
                }
                Output.line(
                    .packedLine(
                        path: output, files: result.files, bytes: result.unpackedLength,
                        packed: result.packedLength))
            }
        }

        private struct PackedLine: Encodable {
            var path: String
            var files: Int
            var unpackedLength: Int64
            var length: Int64
        }
    }

    struct Inspect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "inspect",
            abstract: "Print what is in a package, and everything that is wrong with it.",
            discussion: """
                Unpacks every file in memory and writes nothing. Exit code 65 for a package that \
                cannot be hosted.

                EXAMPLE
                  storefront content inspect chapters-1.1.zip
                """)
        @Argument(help: ArgumentHelp("The package.", valueName: "file"))
        var file: String

        @OptionGroup var given: FileOptions
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await reporting(options) {
                let inspection = try PackageInspection.of(path: file)
                if options.json {
                    try Output.json(InspectionLine(inspection))
                } else {
                    show(inspection)
                }
                if !inspection.problems.isEmpty { throw Exit.badCatalog }
            }
        }

        private func show(_ inspection: PackageInspection) {
            var table = TextTable([.init(.columnPath), .init(.columnSize, isRight: true)])
            table.write(
                inspection.files.map {
                    [UntrustedText.clean($0.path), Output.strings[.bytes($0.length)]]
                })
            for problem in inspection.problems {
                Output.error(
                    .packageProblem(
                        path: problem.path, found: problem.found, expected: problem.rule.words))
            }
            guard inspection.problems.isEmpty, let info = inspection.info else {
                return Output.line(.packageInvalidLine(problems: inspection.problems.count))
            }
            Output.line(
                .packageValidLine(
                    product: info.productID.rawValue,
                    package: [info.contentID, info.version.text].compactMap(\.self)
                        .joined(separator: " "),
                    files: inspection.files.count, bytes: inspection.unpackedLength))
        }
    }

    struct Host: AsyncParsableCommand {
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
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await reporting(options) {
                let store = try await options.openForOperator()
                var hosted = try await store.host.hostPackage(at: file, as: store.actor)
                if !options.json {
                    Output.line(
                        hosted.events.isEmpty
                            ? .packageBefore(hosted.release) : .donePackage(hosted.release))
                }
                if approve {
                    for state in PackageState.allCases.dropFirst()
                    where hosted.release.state.isBefore(state) {
                        let release = hosted.release
                        _ = try await store.console.perform(
                            .package(
                                .setState(
                                    release.productID, contentID: release.contentID,
                                    version: release.version, state)))
                        hosted.release.state = state
                    }
                    if !options.json { Output.line(.donePackage(hosted.release)) }
                }
                if options.json { try Output.json(hosted.release) }
            }
        }
    }

    struct Publish: AsyncParsableCommand {
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
        var options: GlobalOptions { given.all }

        func validate() throws {
            guard PackageState(rawValue: state) != nil else {
                throw UnknownWord.error(
                    "state", state, among: PackageState.allCases.map(\.rawValue))
            }
        }

        func run() async throws {
            try await reporting(options) {
                let store = try await options.openForOperator()
                let product = ProductID(product)
                let releases = try await store.host.packageReleases().filter {
                    $0.productID == product && $0.version == ContentVersion(version)
                        && content.map([$0.contentID].contains) ?? true
                }
                guard let release = releases.first, let state = PackageState(rawValue: state)
                else {
                    throw StoreError(
                        .contentUnavailable, productID: product,
                        subject: [content, version].compactMap(\.self).joined(separator: " "))
                }
                guard releases.count == 1 else {
                    throw ValidationError(
                        "Several packages have this version. Give --content: "
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
                Output.line(Output.strings.done(.package(action), events))
            }
        }
    }

    struct Hosted: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hosted",
            abstract: "List the packages that were put into the store, with their states.",
            discussion: """
                EXAMPLE
                  storefront content hosted --json
                """)

        @OptionGroup var given: OperatorOptions
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await reporting(options) {
                let store = try await options.openForOperator()
                let releases = try await store.host.packageReleases()
                guard !options.json else {
                    for release in releases { try Output.json(release) }
                    return
                }
                guard !releases.isEmpty else { return Output.note(.noPackages) }
                var table = TextTable([
                    .init(.columnProduct), .init(.columnPackage), .init(.columnVersion),
                    .init(.columnState), .init(.columnSize, isRight: true),
                ])
                table.write(
                    releases.map { release in
                        [
                            release.productID.rawValue, release.contentID, release.version.text,
                            release.state.rawValue, Output.strings[.bytes(release.length)],
                        ]
                    })
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the content that is on this device.",
            discussion: """
                EXAMPLE
                  storefront content list
                """)

        @OptionGroup var given: CustomerOptions
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await reporting(options) {
                let device = try await options.open().device()
                let downloads = try await device.downloads().filter { $0.installedVersion != nil }
                Output.note(.noContentHere, ifEmpty: downloads, json: options.json)
                var rows: [[String]] = []
                for var download in downloads {
                    let path = try await device.contentPath(
                        of: download.productID, contentID: download.contentID)
                    guard !options.json else {
                        try Output.json(DownloadLine(download: download, path: path))
                        continue
                    }
                    download.version = download.installedVersion ?? download.version
                    rows.append(DownloadText.cells(download, path: path))
                }
                var table = TextTable(DownloadText.columns)
                table.write(rows)
            }
        }
    }

    struct Path: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "path",
            abstract: "Print where a product's content lies on this device.",
            discussion: """
                One line for each package. Exit code 12 where none is on this device; with --fetch \
                what was removed comes back first.

                EXAMPLE
                  less "$(storefront content path lantern.book.lighthouse.1)"/01-the-boat.txt
                """)
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String
        @Flag(help: "Download what is not on this device first.")
        var fetch = false

        @OptionGroup var given: DownloadingOptions
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await reporting(options) {
                let store = try await options.open()
                let device = try await store.device()
                let product = ProductID(identifier)
                if fetch, try await device.contentFiles(of: product).isEmpty {
                    let watcher = DeviceWatcher(device, remarksOf: store)
                    try await store.launch(device)
                    try await device.resumeDownloads(of: product)
                    try await Downloads.Resume.ask(product, on: device)
                    try await Downloads.Resume.follow(
                        product, on: device, of: store, watcher, options)
                }
                var isHere = false
                for download in try await device.downloads() where download.productID == product {
                    guard
                        let path = try await device.contentPath(
                            of: product, contentID: download.contentID)
                    else { continue }
                    isHere = true
                    if options.json {
                        try Output.json(DownloadLine(download: download, path: path))
                    } else {
                        Output.line(UntrustedText.clean(path))
                    }
                }
                guard isHere else { throw StoreError(.downloadNotFound, productID: product) }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a product's content from this device; it can be fetched again.",
            discussion: """
                It stays yours. `content remove` and `downloads remove` are one command.

                EXAMPLE
                  storefront content remove lantern.book.lighthouse.1
                """,
            aliases: ["delete"])
        @Argument(help: ArgumentHelp("The product.", valueName: "id")) var identifier: String

        @OptionGroup var given: CustomerOptions
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await Downloads.change(identifier, options, .deletedLine(identifier)) {
                try await $0.deleteContent(of: $1)
            }
        }
    }

    struct Space: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "space",
            abstract: "Print what content takes on this device, or make room.",
            discussion: """
                --free removes what can be fetched again until so many bytes are freed: what was \
                opened longest ago first, and never what is open. It stays yours; opening it, or \
                `downloads resume`, fetches it again.

                EXAMPLES
                  storefront content space
                  storefront content space --free 500000000
                """)
        @Option(help: ArgumentHelp("Remove at least so many bytes.", valueName: "bytes"))
        var free: Int64?

        @OptionGroup var given: CustomerOptions
        var options: GlobalOptions { given.all }

        func validate() throws {
            guard free.map({ $0 > 0 }) ?? true else {
                throw ValidationError("Give a number of bytes above 0.")
            }
        }

        func run() async throws {
            try await reporting(options) {
                let device = try await options.open().device()
                if let free {
                    for row in try await device.freeContent(bytes: free) where !options.json {
                        Output.note(
                            .contentRemoved(
                                product: row.productID.rawValue,
                                package: "\(row.contentID) \(row.version)",
                                bytes: row.bytesReceived))
                    }
                }
                let space = try await device.contentSpace()
                guard !options.json else { return try Output.json(space) }
                Output.line(.spaceLine(space))
            }
        }
    }
}

extension CommandText {
    /// The line that says in which state a package is now.
    fileprivate static func donePackage(_ release: PackageRelease) -> CommandText {
        .donePackage(
            product: release.productID.rawValue,
            package: "\(release.contentID) \(release.version.text)", release.state)
    }

    /// The line for a package that the store had already.
    fileprivate static func packageBefore(_ release: PackageRelease) -> CommandText {
        .packageBefore(
            product: release.productID.rawValue,
            package: "\(release.contentID) \(release.version.text)", release.state)
    }
}

extension PackageState {
    /// Whether a package comes to the other state later.
    fileprivate func isBefore(_ other: PackageState) -> Bool {
        let states = PackageState.allCases
        return (states.firstIndex(of: self) ?? 0) < (states.firstIndex(of: other) ?? 0)
    }
}

/// A package in JSON.
private struct InspectionLine: Encodable {
    struct Problem: Encodable {
        var rule: PackageProblem.Rule
        var path: String?
        var found: String
        var expected: String
    }

    var productID: ProductID?
    var contentID: String?
    var version: ContentVersion?
    var length: Int64
    var unpackedLength: Int64
    var sha256: String
    var files: [ContentManifest.File]
    var problems: [Problem]

    init(_ inspection: PackageInspection) {
        productID = inspection.info?.productID
        contentID = inspection.info?.contentID
        version = inspection.info?.version
        length = inspection.packedLength
        unpackedLength = inspection.unpackedLength
        sha256 = inspection.sha256
        files = inspection.files
        problems = inspection.problems.map {
            Problem(rule: $0.rule, path: $0.path, found: $0.found, expected: $0.rule.words)
        }
    }
}
