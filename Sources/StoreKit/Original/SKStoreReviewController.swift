#if os(Linux)
public import Foundation

/// Asks for reviews on the App Store, of which this store has none.
open class SKStoreReviewController: NSObject {
    /// Asks nobody.
    open class func requestReview() {}
}
#endif
