/// The library, and the reader of what is in it.
package enum LibraryText: Hashable, Sendable {
    case onThisDevice, notOnThisDevice, subscriptionsAndPasses, appearance, downloadsHeading
    case downloadsRunning(Int, of: Int), ownedDownloadCancelled, downloadsWaitForRoom(Int)
    case updateLine(installed: String, offered: String, size: String), standardTheme, inUse
    case nothingOwned(shop: String, restore: String)
    case chosenForLater, endedOn(day: String), since(day: String), balanceOf(Int64, unit: String)
    case unlocksFact, unlocksNames(String), themeNamed(String), appFeature, contentsOf(name: String)
    case originalLanguage, openingFile, emptyFile, textIsCut, contentIsDeleted
    case fileOf(Int, of: Int, path: String), picture(format: String, pixels: String?, size: String)
    case closed, closedOpensWith(name: String)
    case otherFile(size: String), nextTitle(name: String), nextTitleFor(name: String, state: String)
}
