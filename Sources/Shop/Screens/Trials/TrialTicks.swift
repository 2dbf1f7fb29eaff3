package import StoreModel

/// Which trials the store has seen happen, with the lines of the history that prove it.
package struct TrialTicks: Hashable, Sendable {
    /// By the id of a trial: the lines that match its filters, the oldest first.
    package private(set) var evidence: [String: [LogLine]] = [:]

    package init() {}

    /// One pass from the oldest line. The first lines that match are the evidence, so a tick stays
    /// the same when more happens. The lines of a trial are one account's; a line that concerns all
    /// accounts belongs to each.
    ///
    /// - Parameters:
    ///   - lines: the oldest first.
    ///   - account: whose device's log the lines contain; nil without one.
    ///   - settings: of the accounts before the lines: a change of an account tells what it changed.
    package init(
        _ list: TrialList, in lines: [LogLine], of account: AccountName?,
        after settings: [AccountName: AccountSettings] = [:]
    ) {
        var factsBefore = settings.mapValues {
            LogFact.of(.accountChanged($0)).compactMap(\.self)
        }
        let trials = list.trials.map { Progress($0) }
        let accounts = Set(lines.map { $0.owner(inLogOf: account) ?? account })
            .sorted { ($0?.rawValue ?? "") < ($1?.rawValue ?? "") }
        var found = Dictionary(uniqueKeysWithValues: accounts.map { ($0, trials) })
        for line in lines {
            var facts = line.facts
            if case .event(let event) = line, let settings = event.change.settings {
                let before = factsBefore.updateValue(facts, forKey: settings.name) ?? []
                facts.removeAll { before.contains($0) }
            }
            let owner = line.owner(inLogOf: account)
            for each in owner == nil ? accounts : [owner] {
                for (index, trial) in trials.enumerated() where evidence[trial.id] == nil {
                    evidence[trial.id] = found[each]?[index].take(line, inLogOf: account, facts)
                }
            }
        }
    }

    /// Why a text is no filter of the history that a trial can be seen by; nil if it is one. A
    /// product is known only to its catalog.
    package static func problem(ofFilter text: String) -> LogFilter.Problem? {
        let others = text.split(whereSeparator: \.isWhitespace)
            .filter { !$0.lowercased().hasPrefix(LogFilter.Field.product.typed) }
        return LogFilter(others.joined(separator: " "), scope: .store, .ofFiles).problem
    }

    /// Whether a line that a filter matches may have what the link asks for.
    package static func canLink(_ filter: String, by link: Trial.Link) -> Bool {
        let filter = LogFilter(filter, scope: .store, .ofFiles)
        if link != .nothing, filter.isOfDeviceAlone { return false }
        return filter.possibleKinds.contains { link.isOf($0) }
    }

    /// The lines of a trial that were found so far for one account.
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
        mutating func take(
            _ line: LogLine, inLogOf account: AccountName?, _ facts: [String]
        ) -> [LogLine]? {
            func isStep(_ index: Int) -> Bool {
                steps[index].matches(line, .ofFiles, inLogOf: account, facts)
            }
            let keys = line.keys(of: link)
            guard !keys.isEmpty, !steps.isEmpty else { return nil }
            var before: [LogLine] = []
            for lines in keys.compactMap({ found[$0] })
            where lines.count > before.count && isStep(lines.count) {
                before = lines
            }
            guard !before.isEmpty || isStep(0) else { return nil }
            let lines = before + [line]
            if lines.count == steps.count { return lines }
            // The next line may have in common with this one what it has not with the first: a
            // sale answers a request, and belongs to a chain.
            for key in lines.flatMap({ $0.keys(of: link) })
            where found[key, default: []].count < lines.count {
                found[key] = lines
            }
            return nil
        }
    }
}

extension Trial.Link {
    /// Whether lines of this kind may have it.
    fileprivate func isOf(_ kind: LogKind) -> Bool {
        switch (self, kind) {
        case (.nothing, _): true
        case (.product, .event(.familyChanged)), (.product, .event(.catalogRevised)): true
        case (.transaction, .event(.promoted)), (.transaction, .event(.purchaseCancelled)): false
        case (_, .event(let kind)): !LogGroup.store.kinds.contains(kind)
        case (_, .renewed), (_, .device), (_, .trouble): true
        case (_, .restored): false
        case (_, .download), (_, .held), (_, .resent): self == .product
        }
    }
}

extension LogLine {
    /// Nil for an event that concerns all accounts.
    ///
    /// - Parameter account: whose device's log has the line, if a log has it.
    func owner(inLogOf account: AccountName?) -> AccountName? {
        switch self {
        case .event(let event): event.account
        case .entry: account
        }
    }

    /// What the line may have in common with others; empty for nothing.
    fileprivate func keys(of link: Trial.Link) -> [String] {
        switch link {
        case .nothing: [""]
        case .product: productID.map { [$0.rawValue] } ?? []
        case .transaction: transactions.compactMap { $0?.description }
        }
    }

    /// Its own transaction, the request that may become it, and the first one of its subscription.
    private var transactions: [TransactionID?] {
        switch self {
        case .event(let event): [event.transactionID, event.requestID, event.sale?.originalID]
        case .entry(let entry):
            switch entry.what {
            case .finishedAtLaunch(let id, _): [id]
            case .trouble(let error): [error.transactionID]
            default: []
            }
        }
    }
}
