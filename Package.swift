// swift-tools-version: 6.2
import PackageDescription

/// Whether the package is built for its own sake: by `make`, or by `swift` in its folder. Another
/// package that depends on it gets the libraries, and a newer compiler's warnings stop no build.
let isBuiltHere =
    Context.environment["STOREFRONT_MAKE"] != nil
    || Context.environment["PWD"] == Context.packageDirectory

/// Where libpq's headers are, `make` sets it, and also builds the ledger on PostgreSQL.
let hasPostgreSQL = !(Context.environment["STOREFRONT_POSTGRESQL"] ?? "").isEmpty
/// The traits of which one is on where the program is built. One alone: SwiftPM 6.3 names several to
/// the compiler in another order each time, and another order compiles all anew.
let programTraits: Set<String> = ["Program", "PostgreSQL"]

/// For the field's own API, whose functions without isolation run on no actor, as Apple's do: Swift 6
/// mode, every import says how far it reaches, and a warning stops the build.
let apple: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isBuiltHere ? [.treatAllWarnings(as: .error)] : [])
/// The strictest honest settings, the same for every other target.
let strict = apple + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// Flags for `make`, which builds the program and its tests at once, in the release configuration.
/// SwiftPM refuses a dependency that has unsafe flags, so no other package gets to see them.
func onlyForMake(_ flags: [String]) -> [SwiftSetting] {
    guard Context.environment["STOREFRONT_MAKE"] != nil else { return [] }
    return [.unsafeFlags(flags, .when(configuration: .release))]
}
/// For targets whose tests use `@testable import`, which the release configuration forbids otherwise.
let testable = strict + onlyForMake(["-enable-testing"])
/// For tests, which are not optimised as the program is.
let unoptimised = strict + onlyForMake(["-Onone", "-gnone"])

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let openCombine = ["OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"].map {
    Target.Dependency.product(name: $0, package: "OpenCombine")
}

/// Of what only the program needs, which a package that uses the libraries does not even resolve.
func onlyForProgram(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: programTraits))
}
let hummingbird = onlyForProgram("HummingbirdCore", "hummingbird")
let httpTypes = onlyForProgram("HTTPTypes", "swift-http-types")
let logging = onlyForProgram("Logging", "swift-log")
let nio = onlyForProgram("NIOCore", "swift-nio")
let nioPosix = onlyForProgram("NIOPosix", "swift-nio")
let nioHTTP1 = onlyForProgram("NIOHTTP1", "swift-nio")
let nioHTTPTypes = onlyForProgram("NIOHTTPTypes", "swift-nio-extras")
let argumentParser = onlyForProgram("ArgumentParser", "swift-argument-parser")

let package = Package(
    name: "storefront",
    products: [
        .executable(name: "storefront", targets: ["storefront"]),
        .library(name: "Combine", targets: ["Combine"]),
        .library(name: "StoreKit", targets: ["StoreKit"]),
        .library(name: "StoreKitTest", targets: ["StoreKitTest"]),
    ],
    traits: [
        .trait(name: "Program", description: "The program, and the packages that only it needs."),
        .trait(
            name: "PostgreSQL",
            description: "All of Program, and stores in PostgreSQL databases, over libpq."),
        .default(enabledTraits: isBuiltHere ? [hasPostgreSQL ? "PostgreSQL" : "Program"] : []),
    ],
    // A consumer's resolution reads all of them, so none is pinned to one version.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: []),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // The targets, lowest layer first. ARCHITECTURE.md draws it; `LayeringTests` reads the imports.
        .target(name: "Basics", swiftSettings: strict),
        .target(name: "StoreModel", dependencies: ["Basics"], swiftSettings: testable),
        .target(
            name: "StoreSigning", dependencies: ["Basics", "StoreModel", crypto, x509, asn1],
            swiftSettings: testable),
        .target(name: "CContentPackages", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "ContentPackages",
            dependencies: ["Basics", "CContentPackages", "StoreModel", crypto],
            swiftSettings: strict),
        .target(
            name: "StoreCatalog", dependencies: ["Basics", "StoreModel", crypto],
            swiftSettings: testable),
        .target(
            name: "StoreEngine",
            dependencies: ["Basics", "StoreCatalog", "StoreModel", "StoreSigning", crypto],
            swiftSettings: testable),
        .target(name: "CDurableFiles"),
        .target(
            name: "DurableFiles",
            dependencies: ["Basics", "CDurableFiles", "StoreModel", grdb, sqlite],
            swiftSettings: strict),
        // The ledger over any database that speaks SQL; each database has a target of its own.
        .target(
            name: "SQLLedger", dependencies: ["Basics", "StoreEngine", "StoreModel"],
            swiftSettings: strict),
        .systemLibrary(
            name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        // Without the trait it has no code, and libpq need not be there.
        .target(
            name: "PostgreSQLLedger",
            dependencies: [
                "Basics", "SQLLedger", "StoreEngine", "StoreModel",
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: strict),
        .target(
            name: "SQLiteLedger",
            dependencies: ["Basics", "DurableFiles", "SQLLedger", "StoreEngine", "StoreModel"],
            swiftSettings: strict),
        .target(
            name: "StoreDevice",
            dependencies: [
                "Basics", "ContentPackages", "DurableFiles", "StoreModel", "StoreSigning", crypto,
            ],
            swiftSettings: testable),
        .target(
            name: "StoreHost",
            dependencies: [
                "Basics", "ContentPackages", "DurableFiles", "SQLLedger", "SQLiteLedger",
                "StoreCatalog", "StoreDevice", "StoreEngine", "StoreModel", "StoreSigning",
            ],
            swiftSettings: strict),
        // The field's own API: the only public one. An async function in it runs where Apple's does.
        // GRDB is only named so that it is built before: it would import a `Combine` that is there,
        // without being told where OpenCombine's C headers are.
        .target(name: "Combine", dependencies: openCombine + [grdb], swiftSettings: apple),
        .target(
            name: "StoreKit",
            dependencies: openCombine + [
                "Basics", "DurableFiles", "StoreCatalog", "StoreDevice", "StoreEngine",
                "StoreHost", "StoreModel", "StoreSigning", crypto,
                .target(name: "PostgreSQLLedger", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: apple),
        .target(
            name: "StoreKitTest",
            dependencies: [
                "Basics", "StoreEngine", "StoreHost", "StoreKit", "StoreModel", "StoreSigning",
            ],
            swiftSettings: apple),
        // Only the program links these: a front end that buys is not made to.
        .target(
            name: "ContentServer",
            dependencies: [
                "Basics", "StoreModel", "StoreSigning", hummingbird, httpTypes, logging, nio,
                nioHTTPTypes, nioPosix,
            ],
            swiftSettings: testable),
        // The store's own server, over the other one's HTTP.
        .target(
            name: "StoreServer",
            dependencies: ["Basics", "ContentServer", "StoreModel", "StoreSigning", crypto],
            swiftSettings: testable),
        .target(
            name: "ContentClient",
            dependencies: ["StoreModel", nio, nioPosix, nioHTTP1],
            swiftSettings: strict),
        .target(name: "Terminal", dependencies: ["Basics"], swiftSettings: strict),
        .target(
            name: "CTerminal",
            linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
        .target(
            name: "CursesTerminal", dependencies: ["CTerminal", "Terminal"],
            swiftSettings: strict),
        .target(name: "ShopText", dependencies: ["Basics", "StoreModel"], swiftSettings: strict),
        .target(
            name: "Shop", dependencies: ["Basics", "ShopText", "StoreModel", "Terminal"],
            swiftSettings: testable),
        .target(name: "CDemoContent"),
        // The program is a library, so that two executables can run it: the usual one, and one that
        // can open stores in PostgreSQL databases.
        .target(
            name: "CommandLineProgram",
            dependencies: [
                "Basics", "CDemoContent", "ContentClient", "ContentPackages", "ContentServer",
                "CursesTerminal", "DurableFiles", "SQLLedger", "Shop", "ShopText", "StoreCatalog",
                "StoreDevice", "StoreEngine", "StoreHost", "StoreModel", "StoreServer",
                "StoreSigning", "Terminal", argumentParser,
            ],
            path: "Sources/storefront",
            swiftSettings: strict),
        .executableTarget(
            name: "storefront", dependencies: ["CommandLineProgram"],
            path: "Sources/storefront-main", swiftSettings: strict),
        // Without the trait it only says so.
        .executableTarget(
            name: "storefront-postgresql",
            dependencies: [
                .target(name: "CommandLineProgram", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "PostgreSQLLedger", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: strict),

        .target(
            name: "BenchTable", dependencies: ["StoreEngine", "StoreModel"],
            path: "Benchmarks/BenchTable", swiftSettings: strict),
        .executableTarget(
            name: "storefront-bench",
            dependencies: [
                "BenchTable", "ContentClient", "ContentServer", "DurableFiles", "SQLLedger",
                "SQLiteLedger", "StoreCatalog", "StoreDevice", "StoreEngine", "StoreModel",
                "StoreServer", "StoreSigning", crypto, sqlite, hummingbird, httpTypes, logging, nio,
                nioPosix,
            ],
            path: "Benchmarks/storefront-bench",
            swiftSettings: strict),
        .executableTarget(
            name: "storekit-bench",
            dependencies: ["BenchTable", "StoreDevice", "StoreKit", "StoreKitTest", "StoreModel"],
            path: "Benchmarks/storekit-bench",
            swiftSettings: strict),
        // Without the trait it only says so.
        .executableTarget(
            name: "postgresql-bench",
            dependencies: [
                "BenchTable", "PostgreSQLLedger", "StoreDevice", "StoreEngine", "StoreModel",
                "StoreTestSupport",
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Benchmarks/postgresql-bench",
            swiftSettings: strict),

        // Shared by the tests below; never part of the program.
        .target(name: "TestBasics", path: "Tests/TestBasics", swiftSettings: unoptimised),
        .target(
            name: "CFaultyVFS", path: "Tests/CFaultyVFS",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "StoreTestSupport",
            dependencies: [
                "Basics", "TestBasics", "CFaultyVFS", "StoreCatalog", "StoreEngine", "StoreModel",
                "StoreSigning",
            ],
            path: "Tests/StoreTestSupport",
            swiftSettings: unoptimised),
        .testTarget(
            name: "EngineTests",
            dependencies: [
                "Basics", "TestBasics", "SQLLedger", "SQLiteLedger", "StoreCatalog", "StoreEngine",
                "StoreModel", "StoreSigning", "StoreTestSupport",
            ],
            swiftSettings: unoptimised),
        .testTarget(
            name: "PostgreSQLLedgerTests",
            dependencies: [
                "Basics", "ContentPackages", "PostgreSQLLedger", "SQLLedger", "SQLiteLedger",
                "StoreEngine", "StoreHost", "StoreModel", "StoreSigning", "StoreTestSupport",
                "TestBasics",
            ],
            swiftSettings: unoptimised),
        .testTarget(
            name: "DeviceTests",
            dependencies: [
                "TestBasics", "DurableFiles", "SQLiteLedger", "StoreCatalog",
                "StoreDevice", "StoreEngine", "StoreModel", "StoreSigning", "StoreTestSupport",
                crypto, sqlite,
            ],
            swiftSettings: unoptimised),
        .testTarget(name: "BasicsTests", dependencies: ["Basics"], swiftSettings: unoptimised),
        .testTarget(
            name: "ContentPackagesTests",
            dependencies: ["ContentPackages", "StoreModel", "TestBasics"],
            swiftSettings: unoptimised),
        .testTarget(
            name: "ContentServerTests",
            dependencies: [
                "ContentClient", "ContentServer", "DurableFiles", "StoreCatalog", "StoreDevice",
                "StoreEngine", "StoreModel", "StoreSigning", "StoreTestSupport", "TestBasics",
            ],
            swiftSettings: unoptimised),
        .testTarget(
            name: "StoreServerTests",
            dependencies: [
                "Basics", "ContentServer", "StoreEngine", "StoreModel", "StoreServer",
                "StoreSigning", "StoreTestSupport", "TestBasics", crypto,
            ],
            swiftSettings: unoptimised),
        .testTarget(
            name: "DurableFilesTests",
            dependencies: [
                "Basics", "DurableFiles", "SQLLedger", "SQLiteLedger", "StoreEngine", "StoreModel",
                "StoreTestSupport", "TestBasics", sqlite,
            ],
            swiftSettings: unoptimised),
        .testTarget(
            name: "ShopTextTests", dependencies: ["ShopText", "StoreModel"],
            swiftSettings: unoptimised),
        .target(
            name: "TerminalTestSupport", dependencies: ["TestBasics", "Terminal"],
            path: "Tests/TerminalTestSupport", swiftSettings: unoptimised),
        .target(
            name: "CEmulator", path: "Tests/CEmulator",
            linkerSettings: [.linkedLibrary("vterm"), .linkedLibrary("util")]),
        // The one terminal of the tests: a pseudo-terminal, and libvterm, which shows what is on it.
        .target(
            name: "TerminalHarness", dependencies: ["CEmulator"], path: "Tests/TerminalHarness",
            swiftSettings: unoptimised),
        .executableTarget(
            name: "FramePainter",
            dependencies: ["CursesTerminal", "Terminal", "TerminalTestSupport"],
            path: "Tests/FramePainter", swiftSettings: unoptimised),
        .testTarget(
            name: "TerminalTests",
            dependencies: ["TestBasics", "CTerminal", "Terminal", "TerminalTestSupport"],
            swiftSettings: unoptimised),
        .testTarget(
            name: "CursesTerminalTests",
            dependencies: [
                "TestBasics", "CEmulator", "CTerminal", "CursesTerminal", "FramePainter",
                "Terminal", "TerminalHarness", "TerminalTestSupport",
            ],
            swiftSettings: unoptimised),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "Basics", "TestBasics", "CTerminal", "Shop", "ShopText", "StoreModel", "Terminal",
            ],
            // Read where they lie.
            exclude: ["Frames/Goldens"],
            swiftSettings: unoptimised),
        .testTarget(name: "RepositoryTests", swiftSettings: unoptimised),
        // Runs the program from outside; of the packages it uses only SQLite's C library.
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["TestBasics", "TerminalHarness", sqlite],
            swiftSettings: unoptimised),
        // A front end other than the program: what it needs to sell and to buy.
        .testTarget(
            name: "StoreHostTests",
            dependencies: [
                "ContentPackages", "SQLiteLedger", "StoreCatalog", "StoreDevice", "StoreEngine",
                "StoreHost", "StoreModel",
            ],
            swiftSettings: unoptimised),
        .testTarget(
            name: "StoreKitTests",
            dependencies: [
                "StoreDevice", "StoreHost", "StoreKit", "StoreKitTest", "StoreModel", crypto,
            ],
            swiftSettings: unoptimised),
        .testTarget(
            name: "CatalogTests", dependencies: ["Basics", "StoreCatalog", "StoreModel"],
            exclude: ["Configurations"], swiftSettings: unoptimised),
        .testTarget(
            name: "StoreSigningTests",
            dependencies: [
                "Basics", "TestBasics", "StoreTestSupport", "StoreSigning", "StoreModel", crypto,
                x509, asn1,
            ],
            swiftSettings: unoptimised),
    ]
)

// Dependencies that ask `canImport(Combine)` would count as importing this one, if it is there. Nothing
// here does, and it is compiled with the packages that do.
if Context.environment["STOREFRONT_IMPORT_CHECK"] != nil {
    package.products.removeAll { $0.name == "Combine" }
    package.targets.removeAll { $0.name == "Combine" }
}

// For `make docs` only: nobody else resolves it.
if Context.environment["STOREFRONT_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}
