#if os(Linux)
/// Why a request that the app's server signed was refused: here by `Product.PurchaseError` only.
public struct InvalidRequestError: Error {
    /// The refusal's number.
    public let code: Int64
    /// For the developer.
    public let message: String
}
#endif
