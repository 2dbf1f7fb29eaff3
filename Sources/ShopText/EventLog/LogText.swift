/// The history and the event log: facts, filters and messages.
package enum LogText: Hashable, Sendable {
    case transaction, quantity, noEvents, historyHeading, eventsOfAllTime, eventCount(Int)
    case readingEvents, noEventMatches, noEventMatchesYet, moreInHistory(Int), groupAll, groupSales
    case groupChanges, groupDelivery, groupStore, groupDevice, whenFact, productFact, priceFact
    case paidFact, refundFact, accountFact, deviceFact, tokenFact, userNameFact, territoryFact
    case expiresFact, orderFact, originalFact, requestFact, paymentFact, errorFact, meaningFact
    case callFact, remainingFact, positionFact, signatureFact, verifiedFact, notVerifiedFact(
        reason: String?)
    case payloadHeading, sharedByFact, noSuchKind(String, names: String)
    case noSuchProduct(String, example: String?), noSuchDay(String)
    case noSuchField(String, fields: String), filterByKind, filterByProduct, filterByAccount
    case filterByFact, noSuchFact(String, facts: String)
    /// A transaction that came back unfinished at a launch.
    case finishedAtLaunch(name: String, transaction: String)
    case filterSince, sortedBy(String), markedLines(Int)
}
