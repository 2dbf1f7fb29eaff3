package import StoreModel

/// Which trials the store has seen happen, with the lines of the history that prove it.
package struct TrialTicks: Hashable, Sendable {
    /// By the id of a trial: the lines that match its filters, the oldest first.
    package private(set) var evidence: [String: [LogLine]] = [:]

    package init() {}

    /// One pass from the oldest line. The first lines that match are the evidence, so a tick stays
    /// the same when more happens.
    ///
    /// - Parameter lines: the oldest first.
    package init(_ list: TrialList, in lines: [LogLine]) {
        var waiting = list.trials.map { Progress($0) }
        for line in lines {
            for index in waiting.indices {
                guard let proof = waiting[index].take(line) else { continue }
                evidence[waiting[index].id] = proof
            }
            waiting.removeAll { evidence[$0.id] != nil }
        }
    }

    /// Why a text is no filter of the history that a trial can be seen by; nil if it is one. A
    /// product is known only to its catalog.
    package static func problem(ofFilter text: String) -> LogFilter.Problem? {
        let problem = LogFilter(text, scope: .store, .ofFiles).problem
        if case .noSuchProduct = problem { return nil }
        return problem
    }

    /// The lines of a trial that were found so far.
    private struct Progress {
        let id: String
        let link: Trial.Link
        let steps: [LogFilter]
        /// By what the lines have in common.
        var found: [String: [LogLine]] = [:]

        init(_ trial: Trial) {
            id = trial.id
            steps = trial.seen.map { LogFilter($0, scope: .store, .ofFiles) }
            link = steps.count > 1 ? trial.link : .nothing
        }

        /// All lines of the trial, if this is the last of them.
        mutating func take(_ line: LogLine) -> [LogLine]? {
            guard let key = line.key(of: link), !steps.isEmpty else { return nil }
            let before = found[key] ?? []
            guard steps[before.count].matches(line, .ofFiles) else { return nil }
            let lines = before + [line]
            if lines.count == steps.count { return lines }
            found[key] = lines
            return nil
        }
    }
}

extension LogLine {
    /// What the line has in common with others; nil if it has none.
    fileprivate func key(of link: Trial.Link) -> String? {
        switch link {
        case .nothing: ""
        case .product: productID?.rawValue
        case .transaction: chain?.description
        }
    }

    /// The transaction, or the request that may become it; of a subscription its first one.
    private var chain: TransactionID? {
        switch self {
        case .event(let event): event.sale?.originalID ?? event.transactionID ?? event.requestID
        case .entry(let entry):
            if case .finishedAtLaunch(let id, _) = entry.what { id } else { nil }
        }
    }
}
