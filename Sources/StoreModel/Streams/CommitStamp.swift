/// Names the last commit to a file, of any process: equal stamps mean that nothing was committed in
/// between, and that what was read need not be read again.
package struct CommitStamp: Hashable, Sendable {
    private let words: SIMD8<UInt64>

    package init(_ words: SIMD8<UInt64>) { self.words = words }
}
