import Basics
import ShopText
import StoreModel
import Terminal

extension ReceiptScreen: ComponentView {
    static let helpTitle: KeyText? = .helpReceipt

    static let keys: [KeyBinding] =
        [
            KeyBinding(.refresh, .receipt(.refreshed), .keyRefresh),
            KeyBinding(.copySigned, .receipt(.copied), .keyCopySigned),
            KeyBinding("Esc", [.escape], names: [.back, .left], .wentBack) { _ in
                .keyBack
            },
            .palette, .quit, .networkOn, .signIn, .pointer, .next, .previous,
        ] + KeyBinding.moves() + KeyBinding.views + [.help]

    static func draw(on canvas: inout Canvas) {
        canvas.drawScrolled(
            canvas.receiptLines(columns: canvas.linesArea.columns),
            by: canvas.state.receipt.scroll)
    }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        canvas.scrolling(
            canvas.receiptLines(columns: canvas.linesArea.columns),
            by: canvas.state.receipt.scroll)
    }
}

extension Canvas {
    /// In lines of at most `columns` columns.
    func receiptLines(columns: Int) -> [DetailLine] {
        let part = state.receipt
        let title = measure.measure(strings[.receiptTitle])
        var lines = [DetailLine(text: title, style: theme.strong)] + gap
        if let error = part.error {
            lines += wrapped(strings.line(error, of: nil), columns, theme.bad) + gap
        }
        if state.snapshot.isOffline, case .success(let payload)? = part.receipt?.verified {
            let asOf = strings.instant(payload.receiptCreationDate)
            lines += wrapped(strings[.offlineAsOf(asOf)], columns, theme.waiting) + gap
        }
        guard let receipt = part.receipt else {
            if part.error == nil {
                let text =
                    part.isReading
                    ? strings[.opening] : strings[.noReceipt(key: strings.key(.refresh))]
                lines += wrapped(text, columns, theme.quiet)
            }
            return lines
        }
        lines += factLines(strings.facts(receipt), columns: columns)
        if case .success(let payload) = receipt.verified {
            lines += gap + heading(strings[.receiptPurchases], columns, theme.quiet)
            if payload.inApp.isEmpty {
                lines += wrapped(strings[ReceiptText.receiptEmpty], columns, .plain)
            }
            lines += factLines(
                payload.inApp.reversed().map { strings.fact($0, state) }, columns: columns)
        }
        if let appTransaction = part.appTransaction {
            lines += gap + heading(strings[.appTransactionTitle], columns, theme.strong)
            lines += factLines(strings.facts(appTransaction), columns: columns)
        }
        return lines
    }

    private var gap: [DetailLine] {
        layout.isCompact ? [] : [DetailLine(text: measure.measure(""), style: .plain)]
    }

    private func heading(_ text: String, _ columns: Int, _ style: Style) -> [DetailLine] {
        wrapped(text, columns, style).map { line in
            var line = line
            line.isHeading = true
            return line
        }
    }

    private func wrapped(_ text: String, _ columns: Int, _ style: Style) -> [DetailLine] {
        measure.wrap(text, columns: columns).map { DetailLine(text: $0, style: style) }
    }
}

extension Strings {
    fileprivate typealias Fact = (label: String, value: String)

    fileprivate func facts(_ kept: KeptReceipt) -> [Fact] {
        var facts: [Fact] = []
        switch kept.verified {
        case .success(let payload):
            facts = [
                (self[.signatureFact], self[.verifiedFact]),
                (
                    self[.receiptTypeFact],
                    self[.receiptKind(UntrustedText.clean(payload.receiptType))]
                ),
                (self[.appFact], UntrustedText.clean(payload.bundleId)),
                (self[.madeFact], instant(payload.receiptCreationDate)),
            ]
            if let expires = payload.expirationDate {
                facts.append((self[.expiresFact], instant(expires)))
            }
            if let revoked = payload.revocationDate {
                facts.append((self[.revokedFact], instant(revoked)))
            }
        case .failure(let problem): facts = [(self[.signatureFact], notVerified(problem))]
        }
        return facts + [(self[.fileFact], UntrustedText.clean(kept.path))]
    }

    fileprivate func facts(_ kept: KeptAppTransaction) -> [Fact] {
        let file: Fact = (self[.fileFact], UntrustedText.clean(kept.path))
        switch kept.verified {
        case .success(let payload):
            return [
                (self[.signatureFact], self[.verifiedFact]),
                (self[.versionFact], UntrustedText.clean(payload.applicationVersion)),
                (
                    self[.firstVersionFact],
                    UntrustedText.clean(payload.originalApplicationVersion)
                ),
                (self[.numberFact], UntrustedText.clean(payload.appTransactionId)), file,
            ]
        case .failure(let problem): return [(self[.signatureFact], notVerified(problem)), file]
        }
    }

    private func notVerified(_ problem: VerificationError) -> String {
        self[.notVerifiedFact(reason: namesConsole ? problem.rawValue : nil)]
    }

    /// A purchase of the receipt: its transaction's number; name, day, the number of its order, and
    /// the day of a revocation.
    fileprivate func fact(_ payload: TransactionPayload, _ state: ShopState) -> Fact {
        let name = UntrustedText.clean(state.name(of: payload.productId))
        let taken = payload.revocationDate.map { "  \(self[.revokedFact]) \(day($0))" } ?? ""
        let isOwn = payload.inAppOwnershipType == .purchased
        let order = isOwn ? state.shop.orderNumber(of: payload.transactionId) : nil
        return (
            payload.transactionId.description,
            "\(name)  \(day(payload.purchaseDate))\(order.map { "  " + $0 } ?? "")\(taken)"
        )
    }
}
