package import StoreCatalog
package import StoreModel

extension AppIdentity {
    /// Arguments that are not nil replace the catalog's values.
    ///
    /// - Throws: `invalidName` for an environment that is not in `StoreEnvironment.known`, and for
    ///   a bundle id that cannot be a folder name.
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
        // 155: the longest bundle id that App Store Connect and the catalog reader accept.
        try NameRule.check(bundleID, for: "bundle id", lengthMax: 155)
        self.init(
            bundleID: bundleID, appAppleID: appAppleID ?? catalog.appAppleID,
            environment: environment)
    }
}
