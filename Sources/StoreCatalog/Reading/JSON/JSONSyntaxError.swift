/// The byte at which a text stops being JSON, with what was found and expected there.
struct JSONSyntaxError: Error, Equatable {
    var offset: Int
    var found: String
    var expected: String
}
