import ShopText
import StoreModel

/// The texts of the palette's lines.
extension Strings {
    /// Words that find an action although its line does not contain them; nil if there are none.
    func alias(of action: ShopAction) -> String? {
        guard case .component(let action) = action, action is NetworkAction else { return nil }
        return self[.networkAlias]
    }

    /// The title of a line of the palette.
    ///
    /// - Parameter binding: the line's key, or the action of every screen.
    func title(
        of line: Entry, _ binding: KeyBinding?, _ palette: Palette, _ state: ShopState
    ) -> String {
        switch line.id {
        case .perform(let action): offer(action, subject(of: action, palette, state))
        case .missing(let kind): offer(kind)
        case .fault(let fault): offer(fault, of: palette, state)
        case .group(let group): self[.group(group)]
        case .choice(let choice): offer(choice, state)
        case .key, .everywhere, .inPalette, .failure:
            binding.map { sentence($0.title(state)) } ?? ""
        }
    }

    private func subject(
        of action: OperatorAction, _ palette: Palette, _ state: ShopState
    ) -> String {
        switch action {
        case .approve(let number), .decline(let number), .resolve(let number):
            request(number, palette, state)
        case .failNext(let call, let error, _, _, _): failure(error, of: call, state)
        case .clearFault(let id): state.faults.first { $0.id == id }.map { faultSet($0) } ?? ""
        case .clock(.advance(.calendar(let period))): length(period)
        case .clock(.advance(.seconds(let seconds))): Measures.clock(seconds: Double(seconds))
        case .clock(.to(let instant)): self.instant(instant)
        case .setRenewals(let change): renewals(change)
        default: palette.subject.map { name(of: $0, state) } ?? ""
        }
    }

    /// As "550 coins", or "550 coins of kai" for another account.
    func name(of subject: OperatorSubject, _ state: ShopState) -> String {
        let name = subject.product.map { state.name(of: $0) } ?? self[.aPurchase]
        guard subject.account != state.shop.account else { return name }
        return self[.nameOfAccount(name: name, account: subject.account.rawValue)]
    }

    /// The palette's line for a kind of action when no payment, plan or entry is there to act on.
    func offer(_ kind: OperatorAction.Kind) -> String {
        let none = TransactionID(0)
        return switch kind.subject {
        case .request(let answer): offer(answer(none), self[.aRequest])
        case .sale(let actions): offer(actions(none, false).first, self[.aPurchase])
        case .subscription(let actions): offer(actions(none).first, self[.aSubscription])
        case .plan(let actions): offer(actions("").first, self[.aSubscription])
        case .product(let actions): offer(actions("", "").last, self[.aProduct])
        case .faults: sentence(.keyRemoveFailure)
        case .store(let actions): offer(actions.first, self[.offerRealTime])
        case .shop:
            switch kind {
            case .package: self[.offerHostPackage]
            case .failNext: sentence(.keyFailNext)
            case .changeAccount: offer(.changeAccount(.init(account: "", askToBuy: true)), "")
            default: self[.keyActions]
            }
        }
    }

    private func offer(_ action: OperatorAction?, _ name: String) -> String {
        action.map { offer($0, name) } ?? ""
    }

    func offer(_ fault: DownloadFaultOffer, of palette: Palette, _ state: ShopState) -> String {
        let name = palette.faultedPackage.map { state.name(of: $0.product) } ?? self[.aProduct]
        return switch fault {
        case .bandwidth(let rate): self[.offerBandwidth(Measures.bytes(rate))]
        case .latency(let milliseconds): self[.offerLatency(milliseconds: milliseconds)]
        case .trouble(let trouble, let place): self[.offerTrouble(trouble, place, name: name)]
        case .clear: self[.offerClearDownloadFaults]
        }
    }

    func offer(_ choice: PaletteChoice, _ state: ShopState) -> String {
        switch choice {
        case .theme(nil): self[.standardTheme]
        case .theme(let unlock?):
            self[.offerTheme(state.product(unlocking: unlock)?.displayName ?? unlock.rawValue)]
        case .language(let code): self[.offerLanguage(languageName(code))]
        case .account(let account): self[.offerAccount(account.rawValue)]
        case .device(let device): self[.offerDevice(device.rawValue)]
        case .shell(let task): self[.shellTask(task)]
        case .page(let product): self[.offerPage(name: state.name(of: product))]
        }
    }

    /// Shown at the right of the line; empty for a fault without a position.
    func code(of fault: DownloadFaultOffer, in palette: Palette) -> String {
        switch fault {
        case .trouble(_, let place):
            palette.faultedPackage.map { self[.atByte($0.byte(at: place))] } ?? ""
        case .bandwidth, .latency, .clear: ""
        }
    }

    /// Shown at the right of the line; empty if the action has none.
    func code(of action: OperatorAction) -> String {
        switch action {
        case .failNext(_, let error, _, _, _): error.rawValue
        case .setRenewals(let change): change.rate?.name ?? ""
        default: action.transactionID?.description ?? action.productID?.rawValue ?? ""
        }
    }

    /// The sentence that a customer reads when a call fails with an error.
    func failure(_ code: StoreError.Code, of call: Fault.Call, _ state: ShopState) -> String {
        let territory = state.settings.map { self.territory($0.territory, currency: nil) }
        let error = StoreError(
            code, subject: call == .purchase ? nil : call.rawValue,
            found: code == .notAvailableInStorefront ? territory : nil)
        let sentence = message(
            for: error, to: .screen(product: self[.thisProduct], namesConsole: namesConsole)
        )
        .happened
        // Some sentences begin with the product's name, which may be in lower case.
        return sentence.prefix(1).uppercased() + sentence.dropFirst()
    }

    /// In a sentence.
    func reason(_ refusal: EntryRefusal) -> String {
        switch refusal {
        case .shop(let reason): self[reason]
        case .store(let error):
            message(for: error, to: .screen(product: nil, namesConsole: namesConsole))
                .happened
        }
    }

    /// As "550 coins for $34.99, asked by kai".
    private func request(_ number: TransactionID, _ palette: Palette, _ state: ShopState) -> String
    {
        guard let request = palette.requests.first(where: { $0.number == number }) else {
            return number.description
        }
        let payment = request.payment
        let price = charge(of: request, locale: state.priceLocale(of: payment.productID))
        let named = item(state.item(of: payment))
        // "For free for 1 week" reads badly.
        let isOffer = request.charge?.offer != nil
        return self[
            .askedBy(
                item: self[
                    isOffer
                        ? .about(name: named, text: price) : .itemFor(item: named, price: price)],
                account: request.account.rawValue)]
    }

    private func renewals(_ change: RenewalsChange) -> String {
        if let fails = change.failsBilling { return self[.offerBilling(fails: fails)] }
        if let hasGrace = change.hasGracePeriod { return self[.offerGrace(isOn: hasGrace)] }
        return switch change.rate?.pace {
        case .realTime?: self[.offerRealTime]
        case .day?: self[.offerRate(of: length(Self.day), time: time(change.rate, Self.day))]
        case .month?: self[.offerRate(of: length(Self.month), time: time(change.rate, Self.month))]
        case .period?: self[.offerRateOfAll(time: time(change.rate, Self.month))]
        case nil: self[StoreLineText.doneRenewals]
        }
    }

    private static let day = SubscriptionPeriod(unit: .day, value: 1)
    private static let month = SubscriptionPeriod(unit: .month, value: 1)

    /// The real time of a subscription period at a renewal rate: "1:00:00", "0:30".
    private func time(_ rate: RenewalRate?, _ period: SubscriptionPeriod) -> String {
        Measures.clock(seconds: Double(rate?.seconds(of: period) ?? 0))
    }
}
