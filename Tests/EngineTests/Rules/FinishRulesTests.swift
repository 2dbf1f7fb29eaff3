import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite struct FinishRulesTests {
    private let consumable = Bench.sold(SampleCatalog.coins, type: .consumable)
    private let lasting = Bench.sold(SampleCatalog.theme, id: 4, type: .nonConsumable)

    private func bench(isFinished: Bool = false) -> Bench {
        var bench = Bench()
        bench.sell(consumable, isFinished: isFinished)
        bench.sell(lasting, isFinished: isFinished)
        return bench
    }

    @Test("finishing an unfinished transaction records it")
    func anUnfinishedTransactionIsFinished() {
        let decision = bench().finish(consumable.id, as: Bench.aoi).decision
        #expect(decision?.entries.map(\.fact) == [.finished])
        #expect(decision?.entries.first?.number == .existing(consumable.id))
        #expect(decision?.reads == [.account("aoi"): 0])
    }

    @Test("finishing twice changes nothing")
    func finishingTwiceChangesNothing() {
        let answer = bench(isFinished: true).finish(consumable.id, as: Bench.aoi).answer
        guard case .alreadyFinished = answer else {
            Issue.record("\(String(describing: answer))")
            return
        }
    }

    @Test("a transaction that is unknown or another account's is not found")
    func whatIsNotOnesOwnIsNotFound() {
        for id in [consumable.id, TransactionID(99)] {
            let refusal = bench().finish(id, as: Bench.kai).refusal
            #expect(refusal?.code == .transactionNotFound)
            #expect(refusal?.transactionID == id)
        }
    }

    @Test("finishing another device's consumable answers claimedElsewhere")
    func aConsumableOfAnotherDeviceIsClaimedElsewhere() {
        let answer = bench().finish(consumable.id, as: Bench.tablet).answer
        guard case .claimedElsewhere = answer else {
            Issue.record("\(String(describing: answer))")
            return
        }
    }

    @Test("any device may finish a non-consumable")
    func whatLastsIsAnyDevicesToFinish() {
        #expect(bench().finish(lasting.id, as: Bench.tablet).facts == [.finished])
    }

    @Test("a consumable of another device can be claimed")
    func aConsumableOfAnotherDeviceCanBeClaimed() {
        let decision = bench().claim(consumable.id, as: Bench.tablet).decision
        #expect(decision?.entries.map(\.fact) == [.claimed(by: "tablet")])
        #expect(decision?.entries.first?.device == "tablet")
        #expect(decision?.reads == [.account("aoi"): 0])
    }

    @Test("claiming one's own consumable, or a non-consumable, changes nothing")
    func claimingOnesOwnOrWhatLastsChangesNothing() {
        for (id, customer) in [(consumable.id, Bench.aoi), (lasting.id, Bench.tablet)] {
            guard let row = bench().claim(id, as: customer).answer else {
                Issue.record("\(id) was not answered")
                continue
            }
            #expect(row.id == id)
        }
    }

    @Test("only an unfinished transaction of the same account can be claimed")
    func onlyWhatIsUnfinishedAndOnesOwnCanBeClaimed() {
        let finished = bench(isFinished: true).claim(consumable.id, as: Bench.tablet)
        let others = bench().claim(consumable.id, as: Bench.kai)
        let unknown = bench().claim(TransactionID(99), as: Bench.aoi)
        for verdict in [finished, others, unknown] {
            #expect(verdict.refusal?.code == .transactionNotFound)
        }
    }
}
