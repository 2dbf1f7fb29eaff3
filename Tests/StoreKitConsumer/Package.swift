// swift-tools-version: 6.2
import PackageDescription

/// The same sources in each language mode: `Mode5Tests` is a link to the folder of the other.
func tests(_ name: String, in mode: SwiftLanguageMode) -> Target {
    .testTarget(
        name: name,
        dependencies: [
            // By another name on disk: other packages take a module `Combine` that they find for
            // Apple's.
            .product(
                name: "Combine", package: "storefront",
                moduleAliases: ["Combine": "StorefrontCombine"]),
            .product(name: "StoreKit", package: "storefront"),
            .product(name: "StoreKitTest", package: "storefront"),
        ],
        resources: [.copy("Resources")],
        swiftSettings: [.swiftLanguageMode(mode), .treatAllWarnings(as: .error)])
}

// A package of its own: inside the package of the libraries their enums have no unknown cases, and
// more than what is public can be named.
let package = Package(
    name: "StoreKitConsumer",
    dependencies: [.package(name: "storefront", path: "../..")],
    targets: [tests("Mode5Tests", in: .v5), tests("Mode6Tests", in: .v6)])
