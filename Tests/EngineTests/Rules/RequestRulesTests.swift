@testable import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

/// Pending payments: why they wait, who may answer them, and the result of each answer.
@Suite("payments that wait")
struct RequestRulesTests {
    private static let number = TransactionID(7)

    @Test("the account's settings say why a purchase waits, the organizer first [C4]")
    func theSettingsSayWhyAPurchaseWaits() {
        for askToBuy in [false, true] {
            for asksBank in [false, true] {
                for interrupts in [false, true] {
                    var bench = Bench()
                    bench.know(
                        AccountSettings(
                            name: "aoi", territory: "USA", askToBuy: askToBuy,
                            asksBank: asksBank, interruptsPurchases: interrupts))
                    let payment = Payment.of(SampleCatalog.coins)
                    let verdict = bench.buy(payment)
                    let reason: RequestReason? =
                        askToBuy
                        ? .askToBuy : interrupts ? .interrupted : asksBank ? .authentication : nil
                    guard let reason else {
                        #expect(verdict.sale != nil)
                        continue
                    }
                    #expect(verdict.facts == [.deferred(payment, reason)])
                    #expect(verdict.decision?.entries.first?.number == .next)
                }
            }
        }
    }

    /// The result of an answer, which depends on the reason for which the payment waits.
    private enum Expected: Equatable {
        case sold
        case failed(StoreError.Code)
        case refused(StoreError.Code)
    }

    private static let answers: [(OperatorAction, [RequestReason: Expected])] = [
        (
            .approve(number),
            [.askToBuy: .sold, .authentication: .sold, .interrupted: .refused(.notAnswerable)]
        ),
        (
            .decline(number),
            [
                .askToBuy: .failed(.approvalDeclined),
                .authentication: .failed(.paymentDeclined),
                .interrupted: .refused(.notAnswerable),
            ]
        ),
        (
            .resolve(number),
            [
                .askToBuy: .refused(.notAnswerable), .authentication: .refused(.notAnswerable),
                .interrupted: .sold,
            ]
        ),
    ]

    @Test("each answer fits the requests that wait for it, and no others")
    func eachAnswerFitsTheRequestsThatWaitForIt() throws {
        for (action, expected) in Self.answers {
            for reason in RequestReason.allCases {
                var bench = Bench()
                bench.ask(.of(SampleCatalog.coins), number: Self.number, reason: reason)
                let verdict = bench.perform(action)
                let comment: Comment = "\(action) of \(reason)"
                switch try #require(expected[reason]) {
                case .sold:
                    #expect(verdict.sale?.productID == SampleCatalog.coins, comment)
                    #expect(
                        verdict.decision?.entries.first?.number == .existing(Self.number), comment)
                case .failed(let code): #expect(verdict.failure?.code == code, comment)
                case .refused(let code):
                    #expect(verdict.refusal?.code == code, comment)
                    #expect(verdict.refusal?.found?.text == reason.rawValue, comment)
                }
            }
        }
    }

    @Test("the customer withdraws any request, and resolves only what was interrupted")
    func theCustomerWithdrawsAnyRequest() {
        for reason in RequestReason.allCases {
            var bench = Bench()
            bench.ask(.of(SampleCatalog.coins), number: Self.number, reason: reason)
            let withdrawn = bench.decide(RequestAnswer.withdraw(Self.number, by: Bench.tablet))
            #expect(withdrawn.failure?.code == .requestWithdrawn, "from any device")
            let resolved = bench.decide(RequestAnswer.resolve(Self.number, by: Bench.aoi))
            #expect((resolved.sale != nil) == (reason == .interrupted))
            let stranger = bench.decide(RequestAnswer.withdraw(Self.number, by: Bench.kai))
            #expect(stranger.refusal?.code == .requestNotPending, "nobody else's request")
        }
    }

    @Test("nothing answers what was answered or withdrawn before")
    func nothingAnswersWhatWasAnswered() {
        let bench = Bench()
        for (action, _) in Self.answers {
            #expect(bench.perform(action).refusal?.code == .requestNotPending)
        }
        let withdrawn = bench.decide(RequestAnswer.withdraw(Self.number, by: Bench.aoi))
        #expect(withdrawn.refusal?.code == .requestNotPending)
    }

    @Test("of what one can own once, a second payment joins the request that waits")
    func aSecondPaymentJoinsTheRequest() {
        for product in [SampleCatalog.theme, SampleCatalog.monthly] {
            var bench = Bench()
            bench.know(AccountSettings(name: "aoi", territory: "USA", asksBank: true))
            bench.ask(.of(product), number: Self.number, reason: .authentication)
            let second = Payment.of(product)
            let decision = bench.buy(second, as: Bench.tablet).decision
            #expect(decision?.entries.map(\.fact) == [.deferred(second, .authentication)])
            #expect(decision?.entries.map(\.number) == [.existing(Self.number)])
            #expect(decision?.newPayments == [second.id])
        }
    }

    @Test("what can be bought often waits as often")
    func whatCanBeBoughtOftenWaitsAsOften() {
        for product in [SampleCatalog.coins, SampleCatalog.pass] {
            var bench = Bench()
            bench.know(AccountSettings(name: "aoi", territory: "USA", askToBuy: true))
            bench.ask(.of(product), number: Self.number)
            #expect(bench.buy(.of(product)).decision?.entries.map(\.number) == [.next])
        }
    }
}
