extension English {
    static func text(_ text: TourText) -> String {
        switch text {
        case .tourStep(let number, let count): "\(number) of \(count)"
        case .tourStates: "This store has a product in every state of a purchase."
        case .tourPage: "The page says what you buy, and shows how the purchase goes."
        case .tourSheet: "Nothing is paid without this sheet. At first Cancel is chosen."
        case .tourPaid: "Each payment is queued on disk first, each sale delivered once."
        case .tourConsole: "The store's side: what it sold, and what waits for approval."
        case .tourApproved: "Approved: the store has sold it and tells every device."
        case .tourFollowed: "What waited is owned now, and nobody pressed a key here."
        case .tourDeclined: "Declined: nothing was charged, and the customer is told."
        case .tourNotFollowed: "What waited was declined, and nobody pressed a key here."
        case .tourRefundWord: "refund"
        case .tourMoves: "< back  > next"
        case .tourLibrary: "The library lists what is owned. A downloaded book can be read."
        case .tourReader: "The text is in the downloaded package. The place is kept."
        case .tourTakingBack: "The store can refund a purchase, on every device at once."
        case .tourRefunded: "Refunded: the account owns it on no device any more."
        case .tourOpenKey(let name): "open \(name)"
        case .tourBuyKey: "open the payment sheet"
        case .tourPayKey: "choose the other button and pay"
        case .tourConsoleKey: "see the same purchase at the store"
        case .tourApproveKey: "approve the chosen request"
        case .tourShopKey: "return to the shop, then to its list"
        case .tourLibraryKey: "show the library"
        case .tourReadKey: "open a book's page, then read it"
        case .tourCloseBookKey: "close the book"
        case .tourRefundKey: "refund this product; Enter confirms"
        case .tourRefundAtConsoleKey: "pick a sale at the store; refund it"
        case .tourLeaveKey: "leave; this store is thrown away"
        }
    }
}
