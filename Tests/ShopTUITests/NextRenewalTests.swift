import ShopCore
import ShopTestSupport
@testable import ShopTUI
import StoreModel
import Terminal
import Testing

/// What the screen of a subscription says of the next renewal.
@Suite struct NextRenewalTests {
    /// The rows of the screen, of a subscription in a state.
    private static func rows(_ state: RenewalState, _ size: Size) -> [String] {
        var shop = SampleShop.full()
        let snapshot = SampleShop.snapshot(
            with: SampleShop.subscription(state, problem: .billingFailed), of: shop)
        let actions: [ShopAction] = [.accountArrived(snapshot), .subscription(.opened)]
        for action in actions {
            _ = shop.reduce(
                action,
                ShopMoment(
                    now: SampleShop.now, paymentID: SampleShop.payment(0),
                    viewport: Screens.viewport(size, in: shop)))
        }
        return Screens.draw(shop, size).lines
    }

    @Test(
        "after a failed payment the next renewal is told by what it waits for, not by a day that is over",
        arguments: [RenewalState.inGracePeriod, .inBillingRetryPeriod])
    func overdue(state: RenewalState) throws {
        let rows = Self.rows(state, Screens.usual)
        let row = try #require(rows.first { $0.contains("Next renewal") })
        #expect(row.contains("as soon as the payment succeeds"), "\(row)")
    }
}
