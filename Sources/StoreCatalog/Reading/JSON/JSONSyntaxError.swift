/// Where a text stops being JSON, and why.
struct JSONSyntaxError: Error, Equatable {
    var offset: Int
    var found: String
    var expected: String
}
