import Basics
import ContentServer
import Foundation
import StoreModel

// Subscriptions: their statuses, and extensions of their renewal dates.

extension APIResponder {
    private struct Statuses: Encodable {
        var environment: StoreEnvironment
        var appAppleId: Int64?
        var bundleId: String
        var data: [Group]
    }

    private struct Group: Encodable {
        var subscriptionGroupIdentifier: SubscriptionGroupID
        var lastTransactions: [LastTransaction]
    }

    private struct LastTransaction: Encodable {
        var originalTransactionId: TransactionID?
        var status: Int
        var signedTransactionInfo: SignedTransaction
        var signedRenewalInfo: SignedRenewalInfo
    }

    func statuses(_ call: APICall) async throws -> ContentAnswer {
        let account = try await account(of: call)
        let wanted = try call.each("status", or: .invalidStatus) { text in
            Int(text).flatMap { RenewalState(rawValue: $0) }
        }
        var groups: [Group] = []
        for status in try await store.statuses(of: account)
        where wanted.isEmpty || wanted.contains(status.state) {
            let last = LastTransaction(
                originalTransactionId: status.chain, status: status.state.rawValue,
                signedTransactionInfo: status.transaction, signedRenewalInfo: status.renewalInfo)
            if let index = groups.firstIndex(where: {
                $0.subscriptionGroupIdentifier == status.groupID
            }) {
                groups[index].lastTransactions.append(last)
            } else {
                groups.append(
                    Group(subscriptionGroupIdentifier: status.groupID, lastTransactions: [last]))
            }
        }
        let identity = store.identity
        return try .ok(
            Statuses(
                environment: identity.environment, appAppleId: identity.servedAppleID,
                bundleId: identity.bundleID, data: groups))
    }

    // MARK: - Extensions

    /// The part that a request for one and a request for all have in common.
    private struct Extension {
        var days: Int
        var reason: Int
        var identifier: String

        init(_ members: [String: AnyJSON]) throws(APIError) {
            days = try members.integer("extendByDays", in: 1...90, or: .invalidExtendByDays)
            reason = try members.integer(
                "extendReasonCode", in: 0...3, or: .invalidExtendReasonCode)
            identifier = try members.text("requestIdentifier", or: .invalidRequestIdentifier)
            guard (1...128).contains(identifier.count) else { throw .invalidRequestIdentifier }
        }
    }

    private struct Extended: Encodable {
        var effectiveDate: Timestamp?
        var originalTransactionId: TransactionID
        var success = true
        var webOrderLineItemId: String?
    }

    func extend(_ call: APICall) async throws -> ContentAnswer {
        let found = try await transaction(
            of: call, invalid: .invalidOriginalTransactionID,
            unknown: .originalTransactionIDNotFound
        ).payload
        let asked = try Extension(call.members())
        guard found.inAppOwnershipType == .purchased else {
            throw APIError.familySharedSubscriptionExtensionIneligible
        }
        guard found.isOriginal else { throw APIError.originalTransactionIDNotFound }
        let extended: TransactionPayload
        do throws(StoreError) {
            extended = try await store.extend(found.transactionId, days: asked.days).payload
        } catch {
            guard error.code == .noSubscription else { throw error }
            throw error.subject == SubscriptionObstacle.extendedTwice.rawValue
                ? APIError.subscriptionMaxExtension : .subscriptionExtensionIneligible
        }
        return try .ok(
            Extended(
                effectiveDate: extended.expiresDate,
                originalTransactionId: found.transactionId,
                webOrderLineItemId: extended.webOrderLineItemId))
    }

    /// Answers when all are extended: the field answers before.
    func extendForAll(_ call: APICall) async throws -> ContentAnswer {
        let members = try call.members()
        let asked = try Extension(members)
        let product = try members.text("productId", or: .invalidProductID)
        var request = ExtensionRequest(
            id: UUID(ofRequest: asked.identifier), productID: ProductID(product), days: asked.days,
            reason: asked.reason)
        // The summary names it as the request did.
        if request.id.uuidString.lowercased() != asked.identifier {
            request.name = asked.identifier
        }
        if !members.lacks("storefrontCountryCodes") {
            request.storefronts = try storefronts(members)
        }
        let isOfRequest: Bool
        do throws(StoreError) { isOfRequest = try await store.extendAll(request) } catch {
            guard error.code == .productUnavailable || error.code == .noSubscription else {
                throw error
            }
            throw APIError.invalidProductID
        }
        guard isOfRequest else { throw APIError.invalidRequestIdentifier }
        return try .ok(["requestIdentifier": asked.identifier])
    }

    private func storefronts(_ members: [String: AnyJSON]) throws(APIError) -> [String] {
        guard case .list(let codes)? = members["storefrontCountryCodes"] else {
            throw .invalidStorefrontCountryCode
        }
        guard !codes.isEmpty else { throw .invalidEmptyStorefrontCountryCodeList }
        var found: [String] = []
        for code in codes {
            guard case .text(let text) = code, text.utf8.count == 3,
                Storefront.find(text)?.countryCode == text
            else { throw .invalidStorefrontCountryCode }
            found.append(text)
        }
        return found
    }

    private struct ExtensionAnswer: Encodable {
        var requestIdentifier: String
        var complete: Bool
        var completeDate: Timestamp?
        var succeededCount: Int?
        var failedCount: Int?
    }

    func extensionStatus(_ call: APICall) async throws -> ContentAnswer {
        let (product, identifier) = (call.values[0], call.values[1])
        guard (1...128).contains(identifier.count) else {
            throw APIError.invalidRequestIdentifier
        }
        let status = try await store.extensionStatus(
            of: UUID(ofRequest: identifier), ProductID(product))
        guard status.isAsked else { throw APIError.statusRequestNotFound }
        return try .ok(
            ExtensionAnswer(
                requestIdentifier: identifier, complete: status.outcome != nil,
                completeDate: status.outcome?.completedAt,
                succeededCount: status.outcome?.succeeded, failedCount: status.outcome?.failed))
    }
}
