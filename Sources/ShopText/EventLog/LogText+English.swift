extension English {
    static func text(_ text: LogText) -> String {
        switch text {
        case .transaction: "Transaction"
        case .quantity: "Quantity"
        case .noEvents: "No events yet."
        case .historyHeading: "HISTORY"
        case .eventsOfAllTime: "all time"
        case .sortedBy(let column): "by \(column)"
        case .markedLines(let count): "\(count) marked"
        case .eventCount(let count): "all time, \(count)"
        case .readingEvents: "Reading the events."
        case .noEventMatches: "No event matches."
        case .noEventMatchesYet: "No event matches so far. Down reads on."
        case .moreInHistory(let count): "+\(count): 3 History"
        case .groupAll: "all"
        case .groupSales: "purchases"
        case .groupChanges: "refunds and changes"
        case .groupDelivery: "deliveries"
        case .groupStore: "settings"
        case .groupDevice: "this device"
        case .whenFact: "When"
        case .productFact: "Product"
        case .priceFact: "Price"
        case .paidFact: "Paid"
        case .refundFact: "Refund"
        case .accountFact: "Account"
        case .deviceFact: "Device"
        case .tokenFact: "Token"
        case .userNameFact: "User name"
        case .territoryFact: "Store"
        case .expiresFact: "Until"
        case .orderFact: "Order"
        case .originalFact: "Original"
        case .requestFact: "Request"
        case .paymentFact: "Payment"
        case .errorFact: "Error"
        case .meaningFact: "Meaning"
        case .callFact: "Fails"
        case .remainingFact: "Remaining"
        case .positionFact: "Log number"
        case .signatureFact: "Signature"
        case .verifiedFact: "verified on this device"
        case .notVerifiedFact(let reason): "not verified" + (reason.map { ": \($0)" } ?? "")
        case .payloadHeading: "SIGNED PAYLOAD"
        case .sharedByFact: "Shared by"
        case .noSuchKind(let text, let names):
            "No event is called \"\(text)\". After kind: stands one of these, or its beginning: "
                + "\(names)."
        case .noSuchProduct(let text, let example):
            "No product has \"\(text)\" in its name or identifier."
                + (example.map { " One for sale is \($0)." } ?? "")
        case .noSuchDay(let text):
            "\"\(text)\" is not a day. Write one such as since:2027-01-31."
        case .noSuchField(let text, let fields):
            "There is no field \"\(text):\", and nothing has that text. The fields are \(fields)."
        case .filterByKind: "events of this kind, as kind:refunded"
        case .filterByFact: "what it tells, as is:freeTrial"
        case .noSuchFact(let text, let facts):
            "No event tells of \"\(text)\". After is: stands one of these: \(facts)."
        case .finishedAtLaunch(let name, let transaction):
            "\(name), \(transaction): came back unfinished at launch, finished now"
        case .filterByProduct: "a product's name or identifier"
        case .filterByAccount: "one account, in the console"
        case .filterSince: "since a day, as since:2027-01-31"
        }
    }
}
