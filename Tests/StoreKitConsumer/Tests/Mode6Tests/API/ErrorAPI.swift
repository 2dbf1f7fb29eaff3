import StoreKit

/// The errors, as apps catch them.
enum ErrorAPI {
    static func purchase(_ product: Product) async -> String {
        do {
            return ProductAPI.results(try await product.purchase())
        } catch StoreKitError.userCancelled {
            return "cancelled"
        } catch StoreKitError.networkError(let error) where error.code == .notConnectedToInternet {
            return "offline"
        } catch let error as StoreKitError {
            return text(error)
        } catch Product.PurchaseError.productUnavailable {
            return "not for sale"
        } catch let error as Product.PurchaseError {
            return ProductAPI.errors(error) ?? ""
        } catch let error as InvalidRequestError {
            let _: Int64 = error.code
            return error.message
        } catch {
            return error.localizedDescription
        }
    }

    private static func text(_ error: StoreKitError) -> String {
        isError(StoreKitError.self)
        let _: any LocalizedError = error
        switch error {
        case .unknown, .userCancelled, .notAvailableInStorefront, .notEntitled, .unsupported:
            return error.errorDescription ?? ""
        case .networkError(let reason):
            let _: URLError = reason
            return error.failureReason ?? ""
        case .systemError(let reason):
            let _: any Error = reason
            return error.recoverySuggestion ?? ""
        @unknown default: return ""
        }
    }

    /// StoreKit 1's, thrown as such and as an `NSError`.
    static func original(_ call: () throws -> Void) -> String {
        do { try call() } catch SKError.paymentCancelled {
            return "cancelled"
        } catch let error as SKError where error.code == .paymentNotAllowed {
            return "not allowed"
        } catch let error as SKError {
            return code(error)
        } catch let error as NSError where error.domain == SKErrorDomain {
            return "\(error.code)"
        } catch {
            return error.localizedDescription
        }
        return ""
    }

    private static func code(_ error: SKError) -> String {
        isValue(SKError.self)
        let _: [String: Any] = error.userInfo
        let _: [String: Any] = error.errorUserInfo
        let _: Int = error.errorCode
        let _: String = SKError.errorDomain
        let _: SKError = SKError(.unknown, userInfo: [NSLocalizedDescriptionKey: "No."])
        let _: SKError = SKError(_nsError: NSError(domain: SKErrorDomain, code: 2))
        let _: [SKError.Code] = [
            SKError.unknown, SKError.clientInvalid, SKError.paymentCancelled,
            SKError.paymentInvalid, SKError.paymentNotAllowed, SKError.storeProductNotAvailable,
            SKError.cloudServicePermissionDenied, SKError.cloudServiceNetworkConnectionFailed,
            SKError.cloudServiceRevoked, SKError.privacyAcknowledgementRequired,
            SKError.unauthorizedRequestData, SKError.invalidOfferIdentifier,
            SKError.invalidSignature, SKError.missingOfferParams, SKError.invalidOfferPrice,
            SKError.overlayCancelled, SKError.overlayInvalidConfiguration, SKError.overlayTimeout,
            SKError.ineligibleForOffer, SKError.unsupportedPlatform,
            SKError.overlayPresentedInBackgroundScene,
            SKError.paymentMethodBindingConfigurationRequired,
        ]
        let _: Bool = SKError.Code.paymentCancelled ~= error
        let _: Int = error.code.rawValue
        switch error.code {
        case .unknown, .clientInvalid, .paymentCancelled, .paymentInvalid, .paymentNotAllowed,
            .storeProductNotAvailable:
            return "payment"
        case .cloudServicePermissionDenied, .cloudServiceNetworkConnectionFailed,
            .cloudServiceRevoked, .privacyAcknowledgementRequired, .unauthorizedRequestData:
            return "service"
        case .invalidOfferIdentifier, .invalidSignature, .missingOfferParams, .invalidOfferPrice,
            .ineligibleForOffer:
            return "offer"
        case .overlayCancelled, .overlayInvalidConfiguration, .overlayTimeout,
            .unsupportedPlatform, .overlayPresentedInBackgroundScene,
            .paymentMethodBindingConfigurationRequired:
            return "other"
        @unknown default: return "unknown"
        }
    }
}
