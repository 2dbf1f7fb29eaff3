#if os(Linux)
/// Why the store refused a request that the app's server has signed. This store refuses none so: it
/// throws `Product.PurchaseError`.
public struct InvalidRequestError: Error {
    /// The refusal's number.
    public let code: Int64
    /// For the developer.
    public let message: String
}
#endif
