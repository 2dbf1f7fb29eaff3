package import StoreCatalog
import StoreDevice
package import StoreModel

extension AppIdentity {
    /// The app a catalog belongs to. What is said here stands in place of what the catalog says.
    ///
    /// - Throws: `invalidName` for an environment that signed transactions do not know, and for a
    ///   bundle id that cannot name a folder.
    package init(
        of catalog: Catalog, bundleID: String? = nil, appAppleID: Int64? = nil,
        environment: StoreEnvironment = .sandbox
    ) throws(StoreError) {
        guard StoreEnvironment.known.contains(environment) else {
            throw StoreError(
                .invalidName, subject: "environment", found: environment.rawValue,
                expected: StoreEnvironment.known.map(\.rawValue).joined(separator: ", "))
        }
        let bundleID = bundleID ?? catalog.bundleID
        // As long as App Store Connect takes them, and catalogs.
        try NameRule.check(bundleID, for: "bundle id", lengthMax: 155)
        self.init(
            bundleID: bundleID, appAppleID: appAppleID ?? catalog.appAppleID,
            environment: environment)
    }
}
