/// The offset at which a text is not valid JSON, with the text found and expected there.
struct JSONSyntaxError: Error, Equatable {
    var offset: Int
    var found: String
    var expected: String
}
