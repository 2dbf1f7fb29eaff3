/// What the shop in lines says besides the texts of the screens.
package enum LinearText: Hashable, Sendable {
    case linearBegins, linearPrompt(Int, takesText: Bool)
    // The answers to `?`.
    case linearNumbers(Int), linearTyping, linearWords(String), linearOnLine(String)
    /// `finds`: whether the signs that search and list actions have an effect here.
    case linearSigns(finds: Bool)
    /// The word that waits until the downloads have ended.
    case linearWaitWord
    /// The choices of the failure sheet whose signs a screen shows.
    case linearPreviousCall, linearNextCall
    case linearQuantity, linearTerms, linearProgress(name: String, percent: String)
    // The answers to a line that does nothing.
    case linearNoNumber(Int), linearUnknown(String), linearSeveral([String]), linearChanged
    case linearAsBefore
    // The last line.
    case linearEndedBuying, linearInterrupted, linearNotAnswered(name: String)
}
