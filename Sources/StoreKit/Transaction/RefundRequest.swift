#if os(Linux)
public import Foundation
import StoreDevice
import StoreModel

extension Transaction {
    /// The outcome of a request for a refund.
    @nonexhaustive public enum RefundRequestStatus: Equatable, Hashable, Sendable {
        /// The store has the request. A refund arrives in `Transaction.updates`.
        case success
        /// The customer has not sent the request.
        case userCancelled
    }

    /// Why a refund was not requested.
    @nonexhaustive public enum RefundRequestError: LocalizedError, Hashable, Sendable {
        /// It was requested or given before.
        case duplicateRequest
        /// The store could not take the request.
        case failed

        /// The refusal in a sentence.
        public var errorDescription: String? {
            switch self {
            case .duplicateRequest: "A refund was already requested."
            case .failed: "The refund could not be requested."
            }
        }

        /// Why.
        public var failureReason: String? {
            switch self {
            case .duplicateRequest: "A purchase has one request at a time, and one refund."
            case .failed: "The App Store did not take the request."
            }
        }

        /// Advice for the customer.
        public var recoverySuggestion: String? {
            switch self {
            case .duplicateRequest: "Wait for the answer to the first request."
            case .failed: "Try again later."
            }
        }
    }

    /// Requests a refund of this transaction, without Apple's sheet: the store's operator answers,
    /// and in the Xcode environment the refund is given at once. Throws `RefundRequestError`, too.
    public func beginRefundRequest() async throws -> RefundRequestStatus {
        try await Self.beginRefundRequest(for: id)
    }

    /// As of the transaction with this number.
    @MainActor
    public static func beginRefundRequest(
        for transactionID: UInt64
    ) async throws -> RefundRequestStatus {
        try await requestRefund(of: TransactionID(transactionID))
    }

    /// Not on the main actor: nothing here is shown.
    private nonisolated static func requestRefund(
        of id: TransactionID
    ) async throws -> RefundRequestStatus {
        if case .never = StoreKitHost.confirmation.kind { return .userCancelled }
        do throws(StoreError) {
            let session = try await AppStoreProcess.current()
            _ = try await session.device.requestRefund(of: id, reason: .other)
            if session.store.identity.environment == .xcode {
                try await session.perform(.refund(id, .rest, reason: .other))
            }
            await session.catchUp()
        } catch { throw error.refundError }
        return .success
    }
}
#endif
