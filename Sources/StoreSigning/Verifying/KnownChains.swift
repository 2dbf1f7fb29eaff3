import Synchronization

/// The chains a verifier has found good, most recently used first. Bounded, so that nobody can fill
/// the memory with headers. A class for its lock alone.
final class KnownChains: Sendable {
    private let chains = Mutex<[TrustedChain]>([])

    /// As many as Apple's own verifiers keep.
    private static let countMax = 32

    /// The chain with exactly this header.
    func chain(for header: Span<UInt8>) -> TrustedChain? {
        let known = chains.withLock { $0 }
        for (index, chain) in known.enumerated() {
            guard isEqual(chain.header, header) else { continue }
            if index > 0 { remember(chain) }
            return chain
        }
        return nil
    }

    /// Puts a chain first, and forgets the one not used for longest if there are too many.
    func remember(_ chain: TrustedChain) {
        chains.withLock { chains in
            chains.removeAll { $0.header == chain.header }
            chains.insert(chain, at: 0)
            if chains.count > Self.countMax { chains.removeLast() }
        }
    }

    private func isEqual(_ left: [UInt8], _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices {
            guard left[index] == right[index] else { return false }
        }
        return true
    }
}
