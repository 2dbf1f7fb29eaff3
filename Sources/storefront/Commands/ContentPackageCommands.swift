import ArgumentParser
import Basics
import ContentPackages
import ShopText
import StoreModel

/// Commands that make and check packages of content; they need no store.
extension ContentCommands {
    struct Pack: CommandWithOptions {
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

        @OptionGroup var given: PlainFileOptions

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
                try write(
                    json: [
                        "path": output, "files": result.files,
                        "unpackedLength": result.unpackedLength, "length": result.packedLength,
                    ] as JSONFields
                ) {
                    Output.line(
                        .packedLine(
                            path: output, files: result.files, bytes: result.unpackedLength,
                            packed: result.packedLength))
                }
            }
        }
    }

    struct Inspect: CommandWithOptions {
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

        @OptionGroup var given: PlainFileOptions

        func run() async throws {
            try await reporting(options) {
                let inspection = try PackageInspection.of(path: file)
                if options.json {
                    try Output.json(inspection.fields)
                } else {
                    show(inspection)
                }
                if !inspection.problems.isEmpty { throw Exit.badCatalog }
            }
        }

        private func show(_ inspection: PackageInspection) {
            var table = TextTable()
            table.write(
                inspection.files,
                [
                    Column(.columnPath) { UntrustedText.clean($0.path) },
                    Column(.columnSize, isRight: true) { Output.strings[.bytes($0.length)] },
                ])
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
}

extension PackageInspection {
    fileprivate var fields: JSONFields {
        [
            "productID": info?.productID, "contentID": info?.contentID, "version": info?.version,
            "length": packedLength, "unpackedLength": unpackedLength, "sha256": sha256,
            "files": files,
            "problems": problems.map {
                [
                    "rule": $0.rule, "path": $0.path, "found": $0.found, "expected": $0.rule.words,
                ] as JSONFields
            },
        ]
    }
}
