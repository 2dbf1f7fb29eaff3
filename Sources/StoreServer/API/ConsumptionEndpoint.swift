import Basics
import ContentServer
import Foundation
import StoreModel

// What a backend tells of a purchase whose refund a customer asks for.

extension APIResponder {
    func consumption(_ call: APICall, isFirstVersion: Bool) async throws -> ContentAnswer {
        let found = try await transaction(of: call).payload
        let members = try call.members()
        guard try members.flag("customerConsented", or: .invalidCustomerConsented) else {
            throw APIError.invalidCustomerConsented
        }
        let answer = try isFirstVersion ? first(members, of: found) : second(members, of: found)
        guard found.inAppOwnershipType == .purchased else {
            throw APIError.familyTransactionNotSupported
        }
        try await store.answer(answer)
        return ContentAnswer(202)
    }

    private func second(
        _ members: [String: AnyJSON], of found: TransactionPayload
    ) throws(APIError) -> ConsumptionAnswer {
        let status = try members.text("deliveryStatus", or: .invalidDeliveryStatus)
        guard let delivery = ConsumptionAnswer.DeliveryStatus(rawValue: status) else {
            throw .invalidDeliveryStatus
        }
        var answer = ConsumptionAnswer(
            transactionID: found.transactionId, productID: found.productId,
            answeredAt: store.now, deliveryStatus: delivery,
            sampleContentProvided: try members.flag(
                "sampleContentProvided", or: .invalidSampleContentProvided))
        if !members.lacks("consumptionPercentage") {
            answer.consumptionPercentage = try members.integer(
                "consumptionPercentage", in: 0...100_000, or: .generalBadRequest)
        }
        if !members.lacks("refundPreference") {
            let text = try members.text("refundPreference", or: .generalBadRequest)
            guard let preference = ConsumptionAnswer.RefundPreference(rawValue: text) else {
                throw .generalBadRequest
            }
            answer.refundPreference = preference
        }
        return answer
    }

    // MARK: - First form

    /// The numbers of the first form, each with its greatest value.
    private static let numbers: [(name: String, max: Int64, error: APIError)] = [
        ("accountTenure", 7, .invalidAccountTenure),
        ("consumptionStatus", 3, .invalidConsumptionStatus),
        ("deliveryStatus", 5, .invalidDeliveryStatus),
        ("lifetimeDollarsPurchased", 7, .invalidLifetimeDollarsPurchased),
        ("lifetimeDollarsRefunded", 7, .invalidLifetimeDollarsRefunded),
        ("platform", 2, .invalidPlatform), ("playTime", 7, .invalidPlayTime),
        ("userStatus", 4, .invalidUserStatus),
    ]

    /// Says in the second form what both can say, and keeps the numbers.
    private func first(
        _ members: [String: AnyJSON], of found: TransactionPayload
    ) throws(APIError) -> ConsumptionAnswer {
        guard found.type == .consumable || found.type == .autoRenewable else {
            throw .invalidTransactionNotConsumable
        }
        var numbers: [String: Int] = [:]
        for (name, max, error) in Self.numbers {
            numbers[name] = try members.integer(name, in: 0...max, or: error)
        }
        if !members.lacks("refundPreference") {
            numbers["refundPreference"] = try members.integer(
                "refundPreference", in: 0...3, or: .generalBadRequest)
        }
        let token = try members.text("appAccountToken", or: .invalidAppAccountToken)
        guard token.isEmpty || UUID(uuidString: token) != nil else { throw .invalidAppAccountToken }
        let deliveries: [ConsumptionAnswer.DeliveryStatus] = [
            .delivered, .qualityIssue, .wrongItem, .serverOutage, .other, .other,
        ]
        var answer = ConsumptionAnswer(
            transactionID: found.transactionId, productID: found.productId,
            answeredAt: store.now, deliveryStatus: deliveries[numbers["deliveryStatus"] ?? 5],
            sampleContentProvided: try members.flag(
                "sampleContentProvided", or: .invalidSampleContentProvided),
            firstForm: numbers)
        let preferences: [Int: ConsumptionAnswer.RefundPreference] = [1: .grantFull, 2: .decline]
        answer.refundPreference = numbers["refundPreference"].flatMap { preferences[$0] }
        // 0 undeclared, 1 not consumed, 2 partially, 3 fully.
        let percentages = [1: 0, 3: 100_000]
        answer.consumptionPercentage = numbers["consumptionStatus"].flatMap { percentages[$0] }
        return answer
    }
}
