#if os(Linux)
public import Foundation

// `@unchecked Sendable`: as `SKProduct`.
/// A territory of the App Store.
open class SKStorefront: NSObject, @unchecked Sendable {
    private var model: Storefront?

    /// Of no territory: for the subclasses of tests.
    public override init() { super.init() }

    convenience init(_ model: Storefront) {
        self.init()
        self.model = model
    }

    /// ISO 3166-1 alpha-3.
    open var countryCode: String { model?.countryCode ?? "" }
    /// Apple's number of the territory.
    open var identifier: String { model?.id ?? "" }
}
#endif
