import Testing

@testable import SyrinxStreaming

@Suite("Queue of items") struct ItemQueueTests {
    private func items(_ ids: Int...) -> [StreamingItem] {
        ids.map { StreamingItem(.standardInput, id: $0) }
    }

    /// Returns the id of the next item, if there is one and that is news.
    private func nextID(_ queue: inout ItemQueue) -> Int? {
        guard let change = queue.nextChange(mayOpen: true) else { return nil }
        return change.item?.id
    }

    @Test("Items up to the last that is open already are passed over")
    func passesOverOpenItems() {
        var queue = ItemQueue()
        queue.replace(with: items(1, 2, 3, 4), after: [2, 1, 9])
        #expect(queue.items.map(\.id) == [3, 4])
        queue.replace(with: items(5, 6), after: [2])
        #expect(queue.items.map(\.id) == [5, 6])
        queue.replace(with: items(2), after: [2])
        #expect(queue.takeFirst() == nil)
    }

    @Test("The next item is reported once, and again after items were put back")
    func reportsChanges() {
        var queue = ItemQueue()
        #expect(queue.nextChange(mayOpen: true) == nil)
        queue.replace(with: items(1, 2))
        #expect(nextID(&queue) == 1)
        #expect(queue.nextChange(mayOpen: true) == nil)
        _ = queue.takeFirst()
        #expect(nextID(&queue) == 2)
        queue.putBack(items(1))
        #expect(queue.items.map(\.id) == [1, 2])
        #expect(nextID(&queue) == 1)
        queue.forgetReport()
        #expect(nextID(&queue) == 1)
    }

    @Test("The next item is reported again when it may be opened, and when it may not any more")
    func limit() {
        var queue = ItemQueue()
        queue.replace(with: items(1))
        #expect(nextID(&queue) == 1)
        let held = queue.nextChange(mayOpen: false)
        #expect(held?.item?.id == 1 && held?.mayOpen == false)
        let again = queue.nextChange(mayOpen: false)
        #expect(again == nil)
        #expect(nextID(&queue) == 1)
    }
}
