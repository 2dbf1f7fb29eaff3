/// A request that the store's own server has answered, as it is kept for the console.
package struct ServerRequest: Codable, Hashable, Sendable {
    /// When it was answered, in store time.
    package var at: Timestamp
    package var method: String
    /// With the query; of a long one the beginning.
    package var path: String
    package var status: Int
    /// Of an error of the App Store Server API, its seven digits; nil for any other answer.
    package var errorCode: Int?
    /// Why its token was refused, which the client is not told; nil for any other answer.
    package var tokenRefusal: TokenRefusal?
    /// From the head of the request to the last byte of the answer, in elapsed time.
    package var milliseconds: Double

    /// In characters.
    package static let pathMax = 500

    package init(
        at: Timestamp, method: String, path: String, status: Int, errorCode: Int? = nil,
        tokenRefusal: TokenRefusal? = nil, milliseconds: Double
    ) {
        self.at = at
        self.method = method
        self.path = String(path.prefix(Self.pathMax))
        self.status = status
        self.errorCode = errorCode
        self.tokenRefusal = tokenRefusal
        self.milliseconds = milliseconds
    }
}
