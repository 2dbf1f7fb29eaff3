/// The sentences that say which purchase, money or file an error has left as it was.
package enum KeptText: Hashable, Sendable {
    case nothingCharged, nothingMoreCharged(String), nothingChanged, purchaseKept, nothingSoldIsLost
    case nothingSpent, partialKept, thrownAway, unlocksNothing, lastCatalogSells, nothingBelieved
    case addedUpAgain, notChargedNotSold, notRecorded, nothingWritten, packageNotTaken, notUsed
    case purchaseAndPartKept, reportsWait
}
