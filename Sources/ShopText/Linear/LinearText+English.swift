extension English {
    static func text(_ text: LinearText) -> String {
        switch text {
        case .linearBegins: "The shop in lines. Type ? to read what can be typed."
        case .linearPrompt(let count, let takesText):
            (count > 1 ? "1 to \(count), " : count == 1 ? "1, " : "")
                + (takesText ? "a text, < or ?" : "a word, or ?")
        case .linearNumbers(1): "1 chooses the line with that number."
        case .linearNumbers(let count): "1 to \(count) choose the line with that number."
        case .linearTyping: "Any other text is typed into the field."
        case .linearWords(let words): "Words, or their letters: \(words)."
        case .linearOnLine(let word): "A word with a number acts on that line: \(word) 2."
        case .linearSigns(let finds):
            "< back, > more"
                + (finds
                    ? ", / with a text searches, : lists all actions, : with a text those that match"
                    : "")
                + ". An empty line reads this again. wait waits until the downloads have ended or "
                + "stand still. quit leaves."
        case .linearWaitWord: "wait"
        case .linearPreviousCall: "previous call"
        case .linearNextCall: "next call"
        case .linearQuantity: "1 to 10: + or -, or for example quantity 3"
        case .linearTerms: "+ or - for the others"
        case .linearProgress(let name, let percent): "Downloading \(name): \(percent)"
        case .linearNoNumber(let number):
            "There is no line \(number) here. Type ? to read what can be typed."
        case .linearUnknown(let word):
            "Nothing here is called \(word). Type the number of a line, or ? to read what can be "
                + "typed."
        case .linearSeveral(let names):
            "Several begin with that: \(names.joined(separator: "; ")). Type more of it, or a number."
        case .linearChanged: "That line has changed meanwhile. Nothing was done. Choose again."
        case .linearAsBefore: "Nothing has changed here."
        case .linearEndedBuying:
            "The input ended before the purchase was confirmed. Nothing was bought."
        case .linearInterrupted:
            "Interrupted before the purchase was confirmed. Nothing was bought."
        case .linearNotAnswered(let name):
            "The store has not answered for \(name) yet. The payment is in the queue; the next "
                + "start sends it again, and it is charged at most once."
        }
    }
}
