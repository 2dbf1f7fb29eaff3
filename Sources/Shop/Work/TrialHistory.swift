package import Foundation
package import StoreModel

/// The lines by which trials are ticked: the events of the whole store and the log of one device,
/// since trials were counted anew. That moment is an event of the ledger, too, a change of the
/// account's value `AccountValue.trialsKey`, so every device and process begins after the same one.
package enum TrialHistory {
    /// A longer history is read only so far back.
    private static let linesMax = 20_000
    private static let page = 500

    /// The oldest first; an entry of the log comes after the events of its time.
    ///
    /// - Parameter device: nil for one that cannot be opened.
    /// - Returns: the lines, and the settings before them of the accounts that they change.
    package static func lines(
        of store: any StoreOperator, _ device: (any ShopDevice)?
    ) async throws(StoreError) -> (lines: [LogLine], settings: [AccountName: AccountSettings]) {
        let (events, start) = try await Self.events(of: store)
        let settings = try await Self.settings(before: events, of: store)
        var lines = events.reversed().map(LogLine.event)
        guard let device else { return (lines, settings) }
        let entries = try await Self.entries(of: device, after: start).reversed()
        lines += entries.map(LogLine.entry)
        lines = lines.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
        return (lines, settings)
    }

    /// Without accounts that had none.
    private static func settings(
        before events: [StoreEvent], of store: any StoreOperator
    ) async throws(StoreError) -> [AccountName: AccountSettings] {
        guard let oldest = events.last?.cursor else { return [:] }
        let end = FeedCursor(epoch: oldest.epoch, position: oldest.position - 1)
        var settings: [AccountName: AccountSettings] = [:]
        for account in Set(events.compactMap { $0.change.settings?.name }) {
            let page = try await store.history(
                before: end, filter: HistoryFilter(kinds: [.accountChanged], account: account),
                limit: 1)
            settings[account] = page.events.first?.change.settings
        }
        return settings
    }

    /// The value that makes trials count anew, from after the newest entry of the device's log.
    package static func reset(
        on device: any ShopDevice, unique: UUID
    ) async throws(StoreError) -> AccountValue {
        let newest = try await device.logEntries(before: nil, limit: 1).first?.number ?? 0
        return Self.reset(after: newest, unique)
    }

    fileprivate static func reset(after number: Int64, _ unique: UUID) -> AccountValue {
        AccountValue(key: AccountValue.trialsKey, value: "\(number) \(unique.uuidString)")
    }

    /// The newest first, with the event from which they count, which is not among them.
    private static func events(
        of store: any StoreOperator
    ) async throws(StoreError) -> (events: [StoreEvent], start: StoreEvent?) {
        var events: [StoreEvent] = []
        var next: FeedCursor?
        repeat {
            let read = try await store.history(
                before: next, filter: HistoryFilter(), limit: page)
            if let start = read.events.firstIndex(where: \.resetsTrials) {
                return (events + read.events[..<start], read.events[start])
            }
            events += read.events
            next = read.next
        } while next != nil && events.count < linesMax
        return (events, nil)
    }

    /// The newest first.
    private static func entries(
        of device: any ShopDevice, after start: StoreEvent?
    ) async throws(StoreError) -> [DeviceLogEntry] {
        let isOurs = start?.account == device.account && start?.device == device.device
        let number = isOurs ? start?.trialsLogNumber : nil
        var entries: [DeviceLogEntry] = []
        var read: [DeviceLogEntry]
        repeat {
            read = try await device.logEntries(before: entries.last?.number, limit: page)
            entries += read.prefix { entry in
                if let number { return entry.number > number }
                // Of another device's reset only the time tells. While the store's clock stands
                // still, all that happens has the time of the reset.
                return start.map { entry.at >= $0.at } ?? true
            }
        } while read.count == page && entries.last?.number == read.last?.number
            && entries.count < linesMax
        return entries
    }
}

extension StoreEvent {
    fileprivate var resetsTrials: Bool { trialsLogNumber != nil }

    /// The newest entry of the device's log when trials were counted anew; nil for other events,
    /// also for a value that an app has set itself.
    fileprivate var trialsLogNumber: Int64? {
        guard case .valueChanged(let change) = change,
            let parts = change.value?.split(separator: " "), parts.count == 2,
            let number = Int64(parts[0]), let unique = UUID(uuidString: String(parts[1])),
            change == TrialHistory.reset(after: number, unique)
        else { return nil }
        return number
    }
}
