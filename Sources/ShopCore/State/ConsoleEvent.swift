import Foundation
package import StoreModel

/// One line of the console's log.
package struct ConsoleEvent: Hashable, Sendable {
    package var at: Timestamp
    package var account: AccountName?
    package var what: What

    package enum What: Hashable, Sendable {
        case purchased(ProductID?, TransactionID)
        case deferred(ProductID, request: TransactionID)
        case failed(ProductID, StoreError, wasRequest: Bool)
        case finished(TransactionID)
        case claimed(TransactionID, by: DeviceName)
        case catalogRevised(Int64)
        case accountChanged(AccountSettings)
        case faultSet(Fault)
        case faultCleared(Fault)
    }

    package init(at: Timestamp, account: AccountName?, what: What) {
        self.at = at
        self.account = account
        self.what = what
    }

    /// Reads a signed transaction, which takes time: not for the thread that draws.
    package init(_ event: StoreEvent) {
        at = event.at
        account = event.account
        what =
            switch event.change {
            case .sold(let signed, let id, _, _): .purchased(Self.product(in: signed), id)
            case .deferred(let payment, let request):
                .deferred(payment.productID, request: request)
            case .failed(let payment, let error, let request):
                .failed(payment.productID, error, wasRequest: request != nil)
            case .finished(let id): .finished(id)
            case .claimed(let id, let device): .claimed(id, by: device)
            case .catalogRevised(let revision): .catalogRevised(revision)
            case .accountChanged(let settings): .accountChanged(settings)
            case .faultSet(let fault): .faultSet(fault)
            case .faultCleared(let fault): .faultCleared(fault)
            }
    }

    /// What a signed transaction says it is about, for a line of text: nothing is believed for it.
    private static func product(in signed: SignedTransaction) -> ProductID? {
        struct Payload: Decodable { var productId: ProductID }
        let parts = signed.rawValue.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        // base64url (RFC 4648, section 5) as Foundation reads base64.
        var text = Data(
            parts[1].map { byte in
                switch byte {
                case UInt8(ascii: "-"): UInt8(ascii: "+")
                case UInt8(ascii: "_"): UInt8(ascii: "/")
                default: byte
                }
            })
        text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4))
        return Data(base64Encoded: text)
            .flatMap { try? JSONDecoder().decode(Payload.self, from: $0) }?.productId
    }
}
