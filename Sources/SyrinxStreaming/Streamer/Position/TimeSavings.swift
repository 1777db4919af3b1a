import Foundation

/// The seconds of listening that have been saved: in all, and in the last items.
struct TimeSavings {
    private static let maximumCount = 100

    private(set) var total: TimeInterval = 0
    private var items: [(id: StreamingItem.ID, seconds: TimeInterval)] = []

    /// Adds to the time saved in an item.
    mutating func add(_ seconds: TimeInterval, in item: StreamingItem.ID) {
        total += seconds
        guard let index = items.firstIndex(where: { $0.id == item }) else {
            if items.count == Self.maximumCount { items.removeFirst() }
            return items.append((item, seconds))
        }
        items[index].seconds += seconds
    }

    /// Resets an item that starts again.
    mutating func restart(_ item: StreamingItem.ID) { items.removeAll { $0.id == item } }

    func seconds(in item: StreamingItem.ID) -> TimeInterval { items.first { $0.id == item }?.seconds ?? 0 }
}
