// swift-tools-version: 6.0
import PackageDescription

/// On Linux from the package; on Apple's systems `import StoreKit` finds Apple's.
func storefront(_ product: String) -> Target.Dependency {
    .product(name: product, package: "storefront", condition: .when(platforms: [.linux]))
}

let package = Package(
    name: "Bookshop",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [.library(name: "Bookshop", targets: ["Bookshop"])],
    dependencies: [
        // In a copy of this folder:
        // .package(url: "https://example.com/storefront", from: "0.1.0"),
        .package(name: "storefront", path: "../..")
    ],
    targets: [
        .target(name: "Bookshop", dependencies: [storefront("StoreKit")]),
        // The same with StoreKit 1, in the language of its day.
        .target(
            name: "BookshopOriginal", dependencies: [storefront("StoreKit")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(name: "BookshopApp", dependencies: ["Bookshop", storefront("StoreKit")]),
        .testTarget(
            name: "BookshopTests", dependencies: ["Bookshop", storefront("StoreKitTest")]),
        .testTarget(
            name: "BookshopXCTests",
            dependencies: ["Bookshop", "BookshopOriginal", storefront("StoreKitTest")],
            resources: [.copy("Hosted")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
