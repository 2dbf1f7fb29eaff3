/// What was not lost by an error.
package enum KeptText: Hashable, Sendable {
    case nothingCharged, nothingMoreCharged(String), nothingChanged, purchaseKept, nothingSoldIsLost
    case nothingSpent, partialKept, thrownAway, unlocksNothing, lastCatalogSells, nothingBelieved
    case addedUpAgain, notChargedNotSold, notRecorded, nothingWritten, packageNotTaken, notUsed
    case purchaseAndPartKept
}
