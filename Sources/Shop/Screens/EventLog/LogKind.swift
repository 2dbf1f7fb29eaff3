package import StoreModel

/// The kind of a line of an event log, which the screen names in its second column. A filter takes
/// these names (`LogFilter`); the languages name them for the person.
package enum LogKind: Hashable, Sendable, CaseIterable {
    /// Events of the store, and entries of the device's log about the same.
    case event(EventKind)
    /// The sale of a further period of a subscription.
    case renewed
    /// Only in the device's own log.
    case restored, download, held, resent, device, trouble

    /// All kinds, in the order in which a screen lists their names.
    package static var allCases: [LogKind] {
        let ofDevice: Set<EventKind> = [.purchaseCancelled, .unknown]
        var kinds = LogGroup.allCases.flatMap { $0.kinds }.filter { !ofDevice.contains($0) }
            .map { LogKind.event($0) }
        kinds.insert(.renewed, at: 1)
        return kinds + [
            .restored, .download, .event(.purchaseCancelled), .held, .resent, .device, .trouble,
            .event(.unknown),
        ]
    }

    /// The place of each kind in `allCases`.
    static let order = Dictionary(
        allCases.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: min)

    /// In files and commands, where the screen's names would depend on the language.
    package var name: String {
        if case .event(let kind) = self { kind.rawValue } else { "\(self)" }
    }

    /// Nil for kinds of the device's log.
    var event: EventKind? {
        switch self {
        case .event(let kind): kind
        case .renewed: .sold
        default: nil
        }
    }

    var isOfDevice: Bool {
        switch self {
        case .event(let kind): [.purchaseCancelled, .catalogRevised, .unknown].contains(kind)
        case .renewed: false
        default: true
        }
    }

    /// What the operator changed, and remarks on the catalog: a customer's history lacks them where
    /// the screens do not name the console.
    var isOperators: Bool {
        [.event(.accountChanged), .event(.catalogRevised)].contains(self) || !isIn(.account)
    }

    /// An app changes its values while it is used, such as the place where a book was closed: a
    /// customer's history has these changes only where its filter names them.
    var mustBeNamed: Bool { self == .event(.valueChanged) }

    /// The operator's changes to the whole store are only in the console's log.
    package func isIn(_ scope: LogQuery.Scope) -> Bool {
        switch self {
        case .event(.clockSet), .event(.renewalsSet), .event(.faultSet), .event(.faultCleared),
            .event(.unknown):
            scope == .store
        default: true
        }
    }
}

extension LogLine {
    package var kind: LogKind {
        switch self {
        case .event(let event):
            event.kind == .sold && event.sale?.reason == .renewal ? .renewed : .event(event.kind)
        case .entry(let entry): entry.what.name.kind
        }
    }
}

extension DeviceLogEntry.What.Name {
    var kind: LogKind {
        switch self {
        case .restored, .restoreFailed: .restored
        case .downloaded, .downloadFailed, .downloadPaused, .downloadResumed, .downloadCancelled,
            .contentRemoved:
            .download
        case .purchaseCancelled: .event(.purchaseCancelled)
        case .held: .held
        case .resent: .resent
        case .catalogRefused, .catalogNoted: .event(.catalogRevised)
        case .finishedAtLaunch, .network, .signedIn, .signedOut, .delivering: .device
        case .trouble: .trouble
        case .unknown: .event(.unknown)
        }
    }
}
