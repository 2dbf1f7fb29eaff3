/// Finds the known word nearest to a mistyped one.
package enum SpellingSuggestion {
    /// In Unicode scalars: the cost grows with the square of the length.
    package static let lengthMax = 64

    /// By edit distance, ignoring case; ties go to the first in alphabetical order. Nil if even
    /// that distance is more than a third of the word (at least 1), or as large as the candidate.
    package static func nearest(
        to word: String, among candidates: some Sequence<String>
    ) -> String? {
        let wanted = Array(word.lowercased().unicodeScalars)
        guard !wanted.isEmpty, wanted.count <= lengthMax else { return nil }
        let slipsMax = max(1, wanted.count / 3)
        var best: (slips: Int, candidate: String)?
        for candidate in candidates {
            let letters = Array(candidate.lowercased().unicodeScalars)
            guard abs(letters.count - wanted.count) <= slipsMax, letters.count <= lengthMax else {
                continue
            }
            let slips = slips(from: wanted, to: letters)
            guard slips <= slipsMax, slips < letters.count else { continue }
            if let best, (best.slips, best.candidate) <= (slips, candidate) { continue }
            best = (slips, candidate)
        }
        return best?.candidate
    }

    /// Optimal string alignment distance.
    private static func slips(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
        var older: [Int] = []
        var previous = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for (column, other) in right.enumerated() {
                var cost = min(
                    current[column] + 1, previous[column + 1] + 1,
                    previous[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, older[column - 1] + 1)
                }
                current.append(cost)
            }
            older = previous
            previous = current
        }
        return previous[right.count]
    }
}
