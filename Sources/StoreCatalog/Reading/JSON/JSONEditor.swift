/// Changes values and members of a JSON text and keeps every other byte: order of keys, spaces and
/// numbers stay as they were written.
struct JSONEditor {
    private let document: JSONDocument
    private var edits: [(range: Range<Int>, text: [UInt8])] = []

    init(_ document: JSONDocument) { self.document = document }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(document.bytes.count)
        var at = 0
        let inOrder = edits.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        for (_, edit) in inOrder {
            bytes.append(contentsOf: document.bytes[at..<edit.range.lowerBound])
            bytes.append(contentsOf: edit.text)
            at = edit.range.upperBound
        }
        bytes.append(contentsOf: document.bytes[at...])
        return bytes
    }

    var hasChanges: Bool { !edits.isEmpty }

    mutating func replace(_ value: JSONValue, by text: String) {
        edits.append((range(of: value), Array(text.utf8)))
    }

    /// The first member with this key, else a new member, inserted in alphabetical order if the
    /// keys are in this order. Call it at most once for each place of a new member.
    mutating func set(_ key: String, to text: String, in object: JSONValue) {
        if let value = object.member(key) { return replace(value, by: text) }
        var members: [(key: JSONValue, value: JSONValue)] = []
        object.forEachMember { members.append(($0, $1)) }
        let member = "\"\(key)\" : \(text)"
        guard let last = members.last else {
            return replace(object, by: "{ \(member) }")
        }
        if let next = members.first(where: { $0.key.text > key }) {
            let start = range(of: next.key).lowerBound
            let text = Array((member + ",").utf8) + spaceBefore(start)
            edits.append((start..<start, text))
        } else {
            let end = range(of: last.value).upperBound
            let text = [UInt8(ascii: ",")] + spaceBefore(range(of: last.key).lowerBound)
            edits.append((end..<end, text + Array(member.utf8)))
        }
    }

    /// With their commas.
    mutating func removeMembers(
        of object: JSONValue, where isRemoved: (_ key: String, _ value: JSONValue) -> Bool
    ) {
        var members: [(range: Range<Int>, isRemoved: Bool)] = []
        object.forEachMember { key, value in
            members.append(
                (
                    range(of: key).lowerBound..<range(of: value).upperBound,
                    isRemoved(key.text, value)
                ))
        }
        let lastKept = members.lastIndex { !$0.isRemoved }
        for (index, member) in members.enumerated() where member.isRemoved {
            guard let lastKept else {
                edits.append(
                    (member.range.lowerBound..<members[members.count - 1].range.upperBound, []))
                return
            }
            if index < lastKept {
                // Up to the next key, so that the comma is removed too.
                edits.append((member.range.lowerBound..<members[index + 1].range.lowerBound, []))
            } else {
                edits.append(
                    (
                        members[lastKept].range
                            .upperBound..<members[members.count - 1].range.upperBound,
                        []
                    ))
                return
            }
        }
    }

    /// With the quotes of a text.
    private func range(of value: JSONValue) -> Range<Int> {
        let node = document.nodes[value.index]
        let quotes = value.isText ? 1 : 0
        return Int(node.start) - quotes..<Int(node.end) + quotes
    }

    private func spaceBefore(_ offset: Int) -> [UInt8] {
        let before = document.bytes[..<offset]
        let start = before.lastIndex { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        return Array(before[((start ?? -1) + 1)...])
    }
}
