import Synchronization

/// The chains a verifier has verified before, most recently used first. At most `countMax`, so that
/// texts with many different headers cannot fill the memory. Safe from any task.
final class KnownChains: Sendable {
    private let chains = Mutex<[TrustedChain]>([])

    /// As many as Apple's own verifiers keep.
    private static let countMax = 32

    /// The chain becomes the most recently used one.
    func chain(for header: Span<UInt8>) -> TrustedChain? {
        let known = chains.withLock { $0 }
        for (index, chain) in known.enumerated() {
            guard isEqual(chain.header, header) else { continue }
            if index > 0 { remember(chain) }
            return chain
        }
        return nil
    }

    /// Drops the least recently used chain above `countMax`.
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
