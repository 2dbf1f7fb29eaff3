import Combine
import Dispatch
import Foundation
import StoreKit

/// What managers use of Combine, by its own import. `ObservedStore` has it through StoreKit.
enum CombineAPI {
    @MainActor static func pipelines(_ store: ObservedStore) -> Set<AnyCancellable> {
        var cancellables: Set<AnyCancellable> = []
        let subject = PassthroughSubject<String, Never>()
        let current = CurrentValueSubject<Int, any Error>(1)
        subject.map(\.count).removeDuplicates().sink { _ in }.store(in: &cancellables)
        current.replaceError(with: 0).sink { _ in }.store(in: &cancellables)
        store.$owned.dropFirst().eraseToAnyPublisher().sink { _ in }.store(in: &cancellables)
        store.objectWillChange.sink { _ in }.store(in: &cancellables)
        subject.receive(on: DispatchQueue.main).sink { _ in }.store(in: &cancellables)
        subject.debounce(for: .seconds(1), scheduler: RunLoop.main).sink { _ in }
            .store(in: &cancellables)
        NotificationCenter.default.publisher(for: Notification.Name("changed")).sink { _ in }
            .store(in: &cancellables)
        Just("7").compactMap(Int.init).replaceEmpty(with: 0).assign(to: \.value, on: current)
            .store(in: &cancellables)
        return cancellables
    }
}
