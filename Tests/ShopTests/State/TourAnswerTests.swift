@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The tour under every answer that a person may give at a step: its sentences are true of what
/// happened, and the keys that it names lead to its end.
@Suite struct TourAnswerTests {
    private static let product: ProductID = "book.three"

    enum Purchase: CaseIterable { case paid, cancelled, failed, deferred }

    enum Answer: CaseIterable {
        case approved, declined
        /// The person goes to the next step, and the request waits.
        case left
    }

    enum Refund: CaseIterable { case refunded, kept, reversed }

    /// A shop with its tour, whose keys are pressed and whose store the test is.
    private struct Walk {
        var probe: ShopProbe
        let strings: Strings

        init(locale: String) {
            var state = SampleShop.full(locale: locale)
            state.tour = Tour()
            probe = ShopProbe(state)
            strings = Strings(locale: locale)
            probe.happen(.resized)
        }

        @discardableResult
        mutating func press(_ keys: Key...) -> [ShopEffect] {
            keys.flatMap { key in
                KeyMap.action(for: key, in: probe.state).map { probe.happen($0) } ?? []
            }
        }

        /// Expects a step of the tour, with its sentence.
        func stands(
            at step: TourStep, _ text: TourText,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let tour = probe.state.tour
            #expect(tour?.step == step, sourceLocation: sourceLocation)
            let story = tour.map { strings.story(of: $0, in: probe.state) }
            #expect(story == strings[text], sourceLocation: sourceLocation)
        }

        mutating func arrive(_ payment: Payment) {
            probe.happen(.sold(payment, 1_000_050))
            probe.happen(.arrived(TourAnswerTests.product, 1_000_050))
        }

        /// Steps 1 to 4, with the keys that they name.
        mutating func buy(_ purchase: Purchase) throws {
            stands(at: .open, .tourStates)
            probe.open(TourAnswerTests.product)
            stands(at: .buy, .tourPage)
            press(.character("b"))
            stands(at: .pay, .tourSheet)
            if purchase == .cancelled {
                // At first Cancel is chosen.
                press(.enter)
                stands(at: .buy, .tourPage)
                press(.character("b"), .escape)
                stands(at: .buy, .tourPage)
                press(.character("b"))
            }
            var payment = try #require(press(.right, .enter).payments.first)
            stands(at: .console, .tourPaid)
            if purchase == .failed {
                probe.happen(.purchaseFailed(payment, StoreError(.paymentDeclined)))
                stands(at: .buy, .tourPage)
                press(.character("b"))
                payment = try #require(press(.right, .enter).payments.first)
            }
            if purchase == .deferred {
                probe.refresh {
                    $0.queued[TourAnswerTests.product] = QueuedPayment(
                        payment: payment, state: .deferred, queuedAt: SampleShop.now,
                        request: TransactionID(1_000_050))
                }
            } else {
                arrive(payment)
            }
            press(.character("4"))
            probe.consoleArrives([1_000_008])
            stands(at: .approve, .tourConsole)
        }

        /// Steps 5 to 7.
        mutating func decide(_ answer: Answer) {
            let request = TransactionID(1_000_008)
            switch answer {
            case .approved:
                let effects = press(.character("a"))
                #expect(effects.contains(.perform(.approve(request))))
            case .declined:
                let effects = press(.character("d"))
                #expect(effects.contains(.perform(.decline(request))))
            case .left: press(.character(">"))
            }
            if answer != .left {
                probe.refresh { snapshot in
                    if answer == .approved { snapshot.delivered.formUnion(snapshot.queued.keys) }
                    snapshot.queued = [:]
                }
            }
            let texts: (TourText, TourText) =
                switch answer {
                case .approved: (.tourApproved, .tourFollowed)
                case .declined: (.tourNotSold, .tourNotFollowed)
                case .left: (.tourWaiting, .tourWaiting)
                }
            stands(at: .shop, texts.0)
            press(.character("1"), .character("1"))
            stands(at: .library, texts.1)
            press(.character("2"))
            stands(at: .read, .tourLibrary)
        }

        /// Steps 8 to 11.
        mutating func end(_ refund: Refund) {
            probe.happen(.selectionMoved(.first))
            press(.enter, .enter)
            stands(at: .closeBook, .tourReader)
            press(.escape)
            stands(at: .refund, .tourTakingBack)
            let payload = SampleShop.payload("book.one", 1_000_001)
            if refund == .kept {
                press(.character(">"))
            } else {
                probe.happen(.updateArrived(.revised(payload, .refunded, signed: "a.b.c")))
                stands(at: .leave, .tourRefunded)
            }
            if refund == .reversed {
                probe.happen(.updateArrived(.revised(payload, .refundReversed, signed: "a.b.c")))
            }
            stands(at: .leave, refund == .refunded ? .tourRefunded : .tourKept)
            let effects = press(.character("q"))
            #expect(effects.contains(.quit))
        }
    }

    @Test(
        "whatever a person answers, the tour says what happened and leads to its end",
        arguments: ["en_US", "ja_JP"], Purchase.allCases)
    func everyAnswer(locale: String, purchase: Purchase) throws {
        for answer in Answer.allCases {
            for refund in Refund.allCases {
                var walk = Walk(locale: locale)
                try walk.buy(purchase)
                walk.decide(answer)
                walk.end(refund)
            }
        }
    }

    @Test("a request that was answered before its step is told by its answer, not as approved")
    func answeredEarlier() throws {
        for isApproved in [true, false] {
            var walk = Walk(locale: "en_US")
            walk.probe.refresh { snapshot in
                if isApproved { snapshot.delivered.formUnion(snapshot.queued.keys) }
                snapshot.queued = [:]
            }
            walk.probe.open(Self.product)
            walk.press(.character("b"))
            let payment = try #require(walk.press(.right, .enter).payments.first)
            walk.arrive(payment)
            walk.press(.character("4"))
            walk.stands(at: .shop, isApproved ? .tourApproved : .tourNotSold)
            // In a tour that begins anew nothing waits.
            walk.press(.character("0"))
            for _ in 0..<5 { walk.press(.character(">")) }
            walk.stands(at: .shop, .tourNothingWaited)
        }
    }

    @Test("a plan that was extended is no refund, and the tour goes past content that is not here")
    func noRefundAndNoContent() {
        var walk = Walk(locale: "en_US")
        walk.probe.refresh { $0.downloads = [:] }
        walk.press(.character("2"))
        for _ in 0..<6 { walk.press(.character(">")) }
        #expect(walk.probe.state.tour?.step == .library)
        walk.press(.character("1"), .character("2"))
        walk.probe.happen(
            .updateArrived(
                .revised(
                    SampleShop.payload("plus.month", 1_000_020), .expiryMoved, signed: "a.b.c")))
        #expect(walk.probe.state.tour?.step == .refund)
    }
}
