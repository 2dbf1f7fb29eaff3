import ShopText
import StoreModel
import Terminal

extension SubscriptionScreen: ComponentView {
    static let helpTitle: KeyText? = .helpSubscription

    static let keys: [KeyBinding] =
        [
            KeyBinding("↑↓", [], told: [.up, .down], .selectionMoved(.down)) { _ in .keyMove },
            KeyBinding(
                "Enter", [.enter], names: [.right], .confirmed,
                isUseful: { $0.selectedSubscriptionChoice != nil }
            ) { state in
                state.selectedSubscriptionChoice?.product == nil ? .keyDo : .keyChoose
            },
            KeyBinding("Esc", [.escape], names: [.back, .left], .wentBack) { _ in
                .keyBack
            },
            .palette, .openConsole, .quit, .buy, .redeem, .networkOn, .signIn, .pointer, .next,
            .previous,
        ] + KeyBinding.moves() + KeyBinding.views + [.help]

    static func draw(on canvas: inout Canvas) { canvas.drawSubscription() }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        canvas.subscriptionWindow(canvas.subscriptionLines).scrolling
    }
}

/// One row of the screen.
private struct SubscriptionLine {
    enum Content {
        case gap
        case text(MeasuredText, Style)
        /// The name of the plan, and the standing of the subscription.
        case headline(MeasuredText, String, Style)
        case fact(String, MeasuredText)
        case heading(String)
        case action(String)
        /// Where both do not fit on one row, one row has nil terms, the next an empty name.
        case offer(name: String, terms: MeasuredText?)
        case plan(Product)
        /// `about` from the longest wording to the shortest.
        case happened(day: String, what: String, about: [String], money: String)
    }

    var content: Content
    /// The choice that Enter carries out on the row; nil for a row that cannot be selected.
    var choice: SubscriptionChoice?
    /// Whether this is the first row of a choice, where the selection's marker is drawn.
    var isFirst = true
}

/// The columns of a row of a plan.
private struct PlanGrid {
    var price: Int
    var period: Int
    var state: Int
}

extension Canvas {
    private var subscriptionColumns: Int { linesArea.columns }

    fileprivate var subscriptionLines: [SubscriptionLine] {
        guard let subscription = state.openSubscription else {
            return wrapped(strings[Refusal.noSubscription], theme.quiet)
        }
        var lines = headline(subscription) + facts(subscription)
        let choices = state.choices(for: subscription)
        let actions = choices.filter { $0.plan == nil && $0.offer == nil }
        if !actions.isEmpty { lines += gap }
        for choice in actions {
            lines.append(
                SubscriptionLine(
                    content: .action(strings.action(choice, of: subscription, state)),
                    choice: choice))
        }
        let offers = state.offers(for: subscription)
        if !offers.isEmpty {
            lines += gap + [SubscriptionLine(content: .heading(strings[.offers]))]
            lines += offers.flatMap { offerLines($0.product, $0.terms) }
        }
        let plans = choices.filter { $0.plan != nil }
        if !plans.isEmpty {
            lines += gap + [SubscriptionLine(content: .heading(strings[.plansHeading]))]
        }
        for choice in plans {
            guard let product = choice.plan.flatMap({ state.productList.product($0) }) else {
                continue
            }
            lines.append(SubscriptionLine(content: .plan(product), choice: choice))
        }
        return lines + gap + [SubscriptionLine(content: .heading(strings[.timelineHeading]))]
            + timelineLines
    }

    /// On one row if both fit.
    private func offerLines(_ product: Product, _ terms: PurchaseTerms) -> [SubscriptionLine] {
        let choice = terms.asked.map { SubscriptionChoice.offer(product.id, $0) }
        let name = product.displayName
        let text = strings.words(terms, of: product)
        let room = subscriptionColumns - 2
        if columns(name) + 2 + columns(text) <= room {
            return [
                SubscriptionLine(
                    content: .offer(name: name, terms: measure.measure(text)), choice: choice)
            ]
        }
        return [SubscriptionLine(content: .offer(name: name, terms: nil), choice: choice)]
            + measure.wrap(text, columns: max(2, room - 2)).map {
                SubscriptionLine(
                    content: .offer(name: "", terms: $0), choice: choice, isFirst: false)
            }
    }

    private var gap: [SubscriptionLine] {
        layout.isCompact ? [] : [SubscriptionLine(content: .gap)]
    }

    private func wrapped(_ text: String, _ style: Style) -> [SubscriptionLine] {
        measure.wrap(text, columns: subscriptionColumns).map {
            SubscriptionLine(content: .text($0, style))
        }
    }

    private func headline(_ subscription: AccountSubscription) -> [SubscriptionLine] {
        let standing = subscription.standing
        let name = state.name(of: subscription.productID)
        let room = subscriptionColumns - columns(name) - 3
        let text = choose(strings.status(.plan(standing)), columns: room)
        let fits = columns(text) <= room
        var lines = measure.wrap(name, columns: subscriptionColumns).map {
            SubscriptionLine(content: .text($0, theme.strong))
        }
        if fits, lines.count == 1 {
            lines = [
                SubscriptionLine(
                    content: .headline(measure.measure(name), text, style(of: standing)))
            ]
        }
        let style = subscription.needsAttention ? style(of: standing) : .plain
        lines += wrapped(strings.line(standing, of: subscription, state), style)
        if subscription.isShared {
            let owner = subscription.sharedBy?.rawValue
            let text: SubscriptionText =
                subscription.state == .revoked
                ? .sharedNoMoreLine(account: owner) : .sharedPlanLine(account: owner)
            lines += wrapped(strings[text], theme.quiet)
        }
        return lines
    }

    private func facts(_ subscription: AccountSubscription) -> [SubscriptionLine] {
        var facts: [(name: SubscriptionText, value: String)] = []
        if let end = subscription.ends {
            let (from, until) = (strings.day(subscription.begins), strings.day(end))
            facts.append((.periodFact, strings[.periodFromTo(from, until)]))
        }
        if let commitment = subscription.commitment, !subscription.isOver {
            facts.append(
                (
                    .billingFact,
                    strings[
                        .paymentNumber(
                            commitment.billingPeriodNumber, of: commitment.totalBillingPeriods,
                            until: strings.day(commitment.commitmentExpiresDate))]
                ))
        }
        // A subscription without an end does not renew.
        if !subscription.isOver, !subscription.isShared, subscription.standing != .unending {
            facts.append((.nextRenewalFact, strings.nextRenewal(of: subscription, state)))
        }
        facts.append((.subscriberSince, strings[.since(day: strings.day(subscription.since))]))
        return gap
            + facts.flatMap { fact in
                measure.wrap(fact.value, columns: max(2, subscriptionColumns - 15)).enumerated()
                    .map { number, line in
                        SubscriptionLine(
                            content: .fact(number == 0 ? strings[fact.name] : "", line))
                    }
            }
    }

    /// Newest first.
    private var timelineLines: [SubscriptionLine] {
        if let error = state.subscription.error {
            return wrapped(strings.line(error, of: nil), theme.bad)
        }
        guard let timeline = state.subscription.timeline else {
            return wrapped(strings[.readingEvents] + glyphs.underWay, theme.quiet)
        }
        guard !timeline.items.isEmpty else { return wrapped(strings[.noTimeline], theme.quiet) }
        return timeline.items.suffix(SubscriptionScreen.itemsMax).reversed().map { item in
            let until = item.until.map { strings.day($0) }
            let period = item.from.flatMap { from in
                until.map { strings[.timelineFromUntil(strings.day(from), $0)] }
            }
            // A planned change names the next plan and the day on which that plan begins.
            let name = state.name(of: item.nextProductID ?? item.productID)
            let day = until.map { date in
                strings[item.isPlannedChange ? .timelineFrom(date) : .timelineUntil(date)]
            }
            let plan = item.nextBillingPlan.map { strings[.billingPlanName($0)] }
            let shortest = [item.nextProductID == nil ? plan ?? name : name, day]
                .compactMap(\.self)
            return SubscriptionLine(
                content: .happened(
                    day: strings.day(item.at), what: strings[.timeline(item.what)],
                    about: ((period.map { [[name, $0]] } ?? []) + [shortest]).map {
                        $0.joined(separator: strings[.listSeparator])
                    },
                    money: item.money.map {
                        strings.price(state.price($0, of: item.productID))
                    } ?? ""))
        }
    }

    /// Where the customer scrolled to, otherwise the first with the selection in sight.
    fileprivate func subscriptionWindow(_ lines: [SubscriptionLine]) -> RowWindow {
        var shown: ClosedRange<Int>?
        if state.subscription.scroll == nil,
            let selected = state.selectedSubscriptionChoice,
            let first = lines.firstIndex(where: { $0.choice == selected }),
            let last = lines.lastIndex(where: { $0.choice == selected })
        {
            shown = first...last
        }
        return RowWindow(
            count: lines.count, room: min(linesArea.rows, (sheetTop ?? .max) - linesArea.row),
            from: state.subscription.scroll ?? 0, showing: shown, isMarked: state.sheet == nil)
    }

    fileprivate mutating func drawSubscription() {
        let lines = subscriptionLines
        let grid = planGrid(lines)
        frame.cursor = Position(column: linesArea.column, row: linesArea.row)
        drawRows(
            subscriptionWindow(lines), in: linesArea, hasFocus: true,
            isHeading: { if case .heading = lines[$0].content { true } else { false } }
        ) { canvas, number, row in
            canvas.draw(lines[number], at: row, grid)
        }
    }

    private func planGrid(_ lines: [SubscriptionLine]) -> PlanGrid {
        var products: [Product] = []
        for line in lines { if case .plan(let product) = line.content { products.append(product) } }
        let left = linesArea.column + 2
        let names = products.map { columns($0.displayName) }.max() ?? 0
        let prices = products.map { columns(strings.price(of: $0)) }.max() ?? 0
        let periods =
            products.compactMap { $0.subscription?.period }.map {
                columns(layout.isCompact ? strings.perPeriodShort($0) : strings.perPeriod($0))
            }.max() ?? 0
        let gap = layout.isCompact ? 1 : 3
        let most = max(12, subscriptionColumns - 2 - gap - prices - 1 - periods - 16)
        let price = left + min(names, most) + gap + prices
        return PlanGrid(price: price, period: price + 1, state: price + 1 + periods + 2)
    }

    private mutating func draw(_ line: SubscriptionLine, at row: Int, _ grid: PlanGrid) {
        let left = linesArea.column
        let end = left + subscriptionColumns
        let isSelected =
            line.choice != nil && line.choice == state.selectedSubscriptionChoice
        if let choice = line.choice {
            target(.subscription(.pointed(choice)), left, row, to: end)
            if isSelected, line.isFirst {
                put(glyphs.marker, left, row, theme.accent)
                frame.cursor = Position(column: left + 2, row: row)
            }
        }
        switch line.content {
        case .gap: break
        case .text(let text, let style):
            frame.put(text, column: left, row: row, style: style, before: end)
        case .headline(let name, let text, let style):
            frame.put(name, column: left, row: row, style: theme.strong, before: end)
            putRight(text, before: end, row, style, from: left + name.columns + 2)
        case .fact(let name, let value):
            put(name, left, row, theme.quiet, before: left + 14)
            frame.put(value, column: left + 15, row: row, before: end)
        case .heading(let title):
            put(title.uppercased(), left, row, theme.quiet.bold, before: end)
        case .action(let title):
            put("[ \(title) ]", left + 2, row, isSelected ? theme.strong : .plain, before: end)
        case .offer(let name, let terms):
            let at = put(
                name, left + 2, row, isSelected ? theme.strong : theme.plain, before: end)
            guard let terms else { break }
            frame.put(terms, column: at + 2, row: row, style: theme.quiet, before: end)
        case .plan(let product): draw(product, isSelected, at: row, grid, before: end)
        case .happened(let day, let what, let about, let money):
            let at = put(day, left, row, theme.quiet, before: end)
            let start = putRight(money, before: end, row, from: at + 2)
            let next = put(what, max(at + 2, left + 8), row, before: start - 1)
            let text = choose(about, columns: start - 1 - (next + 2))
            put(text, next + 2, row, theme.quiet, before: start - 1)
        }
    }

    private mutating func draw(
        _ product: Product, _ isSelected: Bool, at row: Int, _ grid: PlanGrid, before end: Int
    ) {
        let weight = isSelected ? theme.strong : theme.plain
        let name = linesArea.column + 2
        let price = strings.price(of: product)
        put(product.displayName, name, row, weight, before: grid.price - columns(price) - 1)
        putRight(price, before: grid.price, row, weight)
        if let period = product.subscription?.period {
            let text =
                layout.isCompact ? strings.perPeriodShort(period) : strings.perPeriod(period)
            put(text, grid.period, row, theme.quiet, before: end)
        }
        let status = state.status(of: product)
        let texts = strings.planTexts(
            status, product, state.productList, monthly: strings.monthlyPayment(of: product))
        let text = choose(texts, columns: end - grid.state)
        put(text, grid.state, row, style(of: status), before: end)
    }
}

extension SubscriptionScreen {
    fileprivate static let itemsMax = 200
}

extension Strings {
    fileprivate func action(
        _ choice: SubscriptionChoice, of subscription: AccountSubscription, _ state: ShopState
    ) -> String {
        switch choice {
        case .payNow: self[.payNow]
        case .acceptPrice: self[.acceptPrice]
        case .declinePrice: self[.declinePrice]
        case .keepPlan: self[.keepPlan(name: state.name(of: subscription.productID))]
        case .resume: self[.turnRenewalOn]
        case .cancel: self[.cancelSubscription]
        case .resubscribe: self[.subscribeAgain]
        case .offer(let id, _), .plan(let id): state.name(of: id)
        }
    }

    /// As "Dec 21: Lantern Plus for $4.99".
    fileprivate func nextRenewal(of subscription: AccountSubscription, _ state: ShopState)
        -> String
    {
        if case .notForSale = subscription.standing { return self[.noRenewalNotForSale] }
        let owes = subscription.commitment.map {
            $0.billingPeriodNumber < $0.totalBillingPeriods
        }
        guard subscription.autoRenews || owes == true, let day = subscription.renewsAt else {
            return self[.noRenewal]
        }
        let next = owes == true ? subscription.productID : subscription.nextProductID
        let name = state.name(of: next)
        let price = renewalPrice(of: subscription, state)
        // The day of the renewal has passed: the store retries the charge.
        guard !subscription.isOverdue else {
            return self[.renewalWhenPaid(name: name, price: price)]
        }
        return price.map {
            self[.renewalOn(day: self.day(day), name: name, price: $0)]
        } ?? self.day(day)
    }
}
