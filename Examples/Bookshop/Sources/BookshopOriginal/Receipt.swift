import Foundation
import StoreKit

/// The app's receipt: every purchase, signed by the store. An app sends it to its server, which
/// verifies it.
public struct Receipt: Decodable {
    /// A purchase in the receipt.
    public struct Purchase: Decodable {
        public let transactionId: String
        public let productId: String
    }

    public let bundleId: String
    public let inApp: [Purchase]

    /// As it is on this device; nil before the first purchase.
    public static var data: Data? {
        guard let url = Bundle.main.appStoreReceiptURL else { return nil }
        return try? Data(contentsOf: url, options: .alwaysMapped)
    }

    /// For the app's server.
    public static var base64: String? { data?.base64EncodedString() }

    /// What the receipt says, without verifying it.
    public static func read() throws -> Receipt? {
        guard let data else { return nil }
        // Header, payload and signature.
        let parts = String(decoding: data, as: UTF8.self).split(separator: ".")
        guard parts.count == 3, let payload = Data(base64URLEncoded: parts[1]) else { return nil }
        return try JSONDecoder().decode(Receipt.self, from: payload)
    }
}

#if os(Linux)
extension Bundle {
    /// Foundation's own answers nil on Linux.
    var appStoreReceiptURL: URL? { StoreKitHost.receiptURL }
}
#endif

extension Data {
    fileprivate init?(base64URLEncoded text: Substring) {
        let usual = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        self.init(
            base64Encoded: usual + String(repeating: "=", count: (4 - usual.count % 4) % 4))
    }
}

/// Asks the store for a new receipt, where an app finds none.
public final class ReceiptRefresher: NSObject, SKRequestDelegate {
    private let request = SKReceiptRefreshRequest(receiptProperties: nil)
    private let completion: (Error?) -> Void

    /// - Parameter completion: called on the main queue, with the error if it failed.
    public init(completion: @escaping (Error?) -> Void) {
        self.completion = completion
        super.init()
        request.delegate = self
    }

    public func start() {
        request.start()
    }

    public func requestDidFinish(_ request: SKRequest) {
        completion(nil)
    }

    public func request(_ request: SKRequest, didFailWithError error: Error) {
        completion(error)
    }
}
