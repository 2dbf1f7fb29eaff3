import Basics
import Foundation
import Testing

@Suite("values as JSON in one pass")
struct JSONWriterTests {
    private enum Kind: Codable, Hashable {
        case plain
        case named(String, count: Int)
    }

    private struct Inner: Codable, Hashable {
        var empty: [Int] = []
        var list: [[Kind]] = [[.plain, .named("a", count: -1)], []]
        var nothing: [Int?] = [nil, 2]
        var last: Int8? = .min
    }

    private struct Outer: Codable, Hashable {
        var text: String
        var absent: String?
        var inner = Inner()
        var flags = [true, false]
        var large = Int64.min
        var larger = UInt32.max
        var id = UUID()
        var names = ["key \"1\"": Kind.plain]
        var end = "end"
    }

    @Test(
        "texts, numbers, flags, lists, objects and enums are written as JSONEncoder writes them",
        arguments: [
            "", "plain", "é 😀 \u{2028}", "\"\\/", "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}",
        ])
    func agreesWithJSONEncoder(text: String) throws {
        let value = Outer(text: text)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = try JSONWriter.bytes(of: value)
        #expect(try JSONDecoder().decode(Outer.self, from: Data(bytes)) == value)
        let sorted = try encoder.encode(JSONDecoder().decode(AnyJSON.self, from: Data(bytes)))
        var expected = String(decoding: try encoder.encode(value), as: UTF8.self)
        expected = expected.replacing(value.id.uuidString, with: value.id.uuidString.lowercased())
        #expect(String(decoding: sorted, as: UTF8.self) == expected)
        #expect(sorted.count == bytes.count, "no white space, and the same escapes")
    }

    @Test("members are written in the order in which they are declared")
    func order() throws {
        let json = String(decoding: try JSONWriter.bytes(of: Inner()), as: UTF8.self)
        #expect(
            json == #"{"empty":[],"list":[[{"plain":{}},{"named":{"_0":"a","count":-1}}],[]],"#
                + #""nothing":[null,2],"last":-128}"#)
    }

    @Test("a fraction is refused")
    func fraction() {
        #expect(throws: EncodingError.self) { try JSONWriter.bytes(of: ["length": 0.5]) }
    }
}
