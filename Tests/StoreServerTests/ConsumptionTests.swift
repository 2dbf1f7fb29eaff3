import ContentServer
import Foundation
import StoreEngine
import StoreModel
@testable import StoreServer
import StoreTestSupport
import Testing

/// What a backend tells of a purchase whose refund a customer asks for.
@Suite("consumption of the API") struct ConsumptionTests {
    private static let good = """
        {"customerConsented":true,"sampleContentProvided":false,"deliveryStatus":"DELIVERED",\
        "consumptionPercentage":25000,"refundPreference":"GRANT_PRORATED"}
        """
    private static let first = """
        {"customerConsented":true,"consumptionStatus":3,"platform":1,"sampleContentProvided":true,\
        "deliveryStatus":3,"appAccountToken":"","accountTenure":7,"playTime":2,\
        "lifetimeDollarsRefunded":1,"lifetimeDollarsPurchased":5,"userStatus":1,\
        "refundPreference":2}
        """

    private func answers(_ backend: Backend) async throws -> [ConsumptionAnswer] {
        try await backend.store.console.history(
            before: nil, filter: HistoryFilter(kinds: [.consumptionAnswered]), limit: 9
        ).events.compactMap { event in
            if case .consumptionAnswered(let answer) = event.change { answer } else { nil }
        }
    }

    @Test("an answer is accepted with 202 and nothing said, and is in the store's history [G1]")
    func second() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let answer = try await backend.ask(
            "/inApps/v2/transactions/consumption/\(id)", method: "PUT", body: Self.good)
        #expect(answer.status == 202 && answer.text.isEmpty)
        #expect(
            try await answers(backend) == [
                ConsumptionAnswer(
                    transactionID: id, productID: SampleCatalog.coins,
                    answeredAt: backend.store.clock.now(), deliveryStatus: .delivered,
                    sampleContentProvided: false, consumptionPercentage: 25_000,
                    refundPreference: .grantProrated)
            ])
    }

    @Test("the twelve fields of the first form are told in the words of the second")
    func firstForm() async throws {
        let backend = try await Backend()
        let id = try await backend.buy(SampleCatalog.monthly)
        let answer = try await backend.ask(
            "/inApps/v1/transactions/consumption/\(id)", method: "PUT", body: Self.first)
        #expect(answer.status == 202)
        let found = try #require(try await answers(backend).first)
        #expect(found.deliveryStatus == .serverOutage && found.refundPreference == .decline)
        #expect(found.consumptionPercentage == 100_000 && found.sampleContentProvided)
        #expect(found.firstForm?["lifetimeDollarsPurchased"] == 5)
        #expect(found.firstForm?.count == 9)
    }

    @Test("each field that is wrong or missing has its own seven digits")
    func badFields() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let theme = try await backend.buy(SampleCatalog.theme)
        let second: [(String, String, APIError)] = [
            (
                "\"customerConsented\":true", "\"customerConsented\":false",
                .invalidCustomerConsented
            ),
            ("\"customerConsented\":true", "\"customerConsented\":1", .invalidCustomerConsented),
            ("\"customerConsented\":true,", "", .invalidCustomerConsented),
            ("\"DELIVERED\"", "\"delivered\"", .invalidDeliveryStatus),
            ("\"DELIVERED\"", "0", .invalidDeliveryStatus),
            (":false", ":\"no\"", .invalidSampleContentProvided),
            ("25000", "100001", .generalBadRequest), ("25000", "-1", .generalBadRequest),
            ("GRANT_PRORATED", "GRANT", .generalBadRequest), ("{", "", .generalBadRequest),
        ]
        for (text, other, error) in second {
            try await backend.expect(
                error, "/inApps/v2/transactions/consumption/\(id)", method: "PUT",
                body: Self.good.replacingOccurrences(of: text, with: other))
        }
        let first: [(String, String, APIError)] = [
            ("\"consumptionStatus\":3", "\"consumptionStatus\":4", .invalidConsumptionStatus),
            ("\"platform\":1", "\"platform\":3", .invalidPlatform),
            ("\"deliveryStatus\":3", "\"deliveryStatus\":6", .invalidDeliveryStatus),
            ("\"accountTenure\":7", "\"accountTenure\":8", .invalidAccountTenure),
            ("\"playTime\":2", "\"playTime\":\"2\"", .invalidPlayTime),
            ("\"lifetimeDollarsRefunded\":1,", "", .invalidLifetimeDollarsRefunded),
            ("\"lifetimeDollarsPurchased\":5,", "", .invalidLifetimeDollarsPurchased),
            ("\"userStatus\":1", "\"userStatus\":-1", .invalidUserStatus),
            ("\"appAccountToken\":\"\"", "\"appAccountToken\":\"me\"", .invalidAppAccountToken),
            ("\"sampleContentProvided\":true,", "", .invalidSampleContentProvided),
            ("\"refundPreference\":2", "\"refundPreference\":4", .generalBadRequest),
        ]
        for (text, other, error) in first {
            try await backend.expect(
                error, "/inApps/v1/transactions/consumption/\(id)", method: "PUT",
                body: Self.first.replacingOccurrences(of: text, with: other))
        }
        try await backend.expect(
            .invalidTransactionNotConsumable, "/inApps/v1/transactions/consumption/\(theme)",
            method: "PUT", body: Self.first)
        #expect(try await answers(backend).isEmpty)
    }
}

/// What the operator sees of it.
@Suite("consumption in the list of refund requests") struct ConsumptionOfRequestTests {
    @Test("a request that waits has the last answer of the backend since it was asked [G7]")
    func weighed() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let other = try await backend.buy()
        func answer(_ preference: String) async throws {
            let body = """
                {"customerConsented":true,"sampleContentProvided":false,\
                "deliveryStatus":"DELIVERED","refundPreference":"\(preference)"}
                """
            let said = try await backend.ask(
                "/inApps/v2/transactions/consumption/\(id)", method: "PUT", body: body)
            #expect(said.status == 202)
        }
        func waiting() async throws -> [ConsumptionAnswer?] {
            try await backend.store.console.refundRequests().map(\.consumption)
        }
        // Said before anybody asked.
        try await answer("GRANT_FULL")
        backend.store.clock.advance(byMilliseconds: 1_000)
        for number in [id, other] {
            _ = try await backend.store.session().requestRefund(of: number, reason: .unintended)
        }
        #expect(try await waiting() == [nil, nil])
        try await answer("GRANT_PRORATED")
        try await answer("DECLINE")
        #expect(try await waiting().map { $0?.refundPreference } == [.decline, nil])
    }
}
