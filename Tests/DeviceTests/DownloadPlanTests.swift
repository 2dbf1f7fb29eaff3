@testable import StoreModel
import Testing

@testable import StoreDevice

/// Which downloads run, computed from the records alone.
@Suite struct DownloadPlanTests {
    private func row(_ product: ProductID, _ state: Download.State = .waiting, bytes: Int64 = 100)
        -> Download
    {
        Download(
            transactionID: TransactionID(1), productID: product, contentID: "text", version: "1",
            state: state, bytesReceived: 0, bytesExpected: bytes)
    }

    @Test("what was asked for last begins first; the others keep their order")
    func order() {
        let plan = DownloadPlan(
            rows: [row("a"), row("b"), row("c"), row("d", .paused), row("e", .active)],
            asked: ["c"])
        #expect(plan.startable.map(\.productID) == ["c", "a", "b"])
    }

    @Test("one package that was asked for comes before the others, also of its product [E7]")
    func packages() {
        var rows = [row("a"), row("b"), row("b"), row("c")]
        rows[2].contentID = "pictures"
        func order(_ asked: [String]) -> [String] {
            DownloadPlan(rows: rows, asked: asked).startable.map { PackageKey($0).text }
        }
        #expect(order(["b/pictures", "c"]) == ["b/pictures", "c/text", "a/text", "b/text"])
        #expect(order(["c", "b/pictures", "b"]) == ["c/text", "b/pictures", "b/text", "a/text"])
        #expect(order(["b", "b/pictures"]) == ["b/text", "b/pictures", "a/text", "c/text"])
    }

    @Test("a running download gives way only to one that was asked for later")
    func givesWay() {
        let running = [row("a", .active), row("b", .active)]
        let waiting = [row("c")]
        let plan = DownloadPlan(rows: running + waiting, asked: ["c", "a"])
        #expect(plan.givesWay(among: running)?.productID == "b")
        #expect(DownloadPlan(rows: running + waiting).givesWay(among: running) == nil)
        let both = DownloadPlan(rows: running + waiting, asked: ["a", "b", "c"])
        #expect(both.givesWay(among: running) == nil)
    }

    @Test("on a metered connection a large product waits for consent, whatever its packages [E5]")
    func consent() {
        var plan = DownloadPlan(rows: [
            row("a", bytes: 30), row("a", .active, bytes: 30), row("b", bytes: 59),
        ])
        plan.settings.isMetered = true
        plan.settings.meteredBytes = 60
        #expect(plan.needsConsent("a") && !plan.needsConsent("b"))
        #expect(plan.startable.map(\.productID) == ["b"])
        plan.consents = ["a"]
        #expect(!plan.needsConsent("a"))
        plan.consents = []
        plan.settings.isMetered = false
        #expect(!plan.needsConsent("a"))
    }
}
