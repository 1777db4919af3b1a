import SyrinxListening
import SyrinxTerminal

/// The page of the queue.
struct QueuePage: ListPage {
    var list = ListState()
    private var total = QueueTotal()

    static func count(in view: PlayerView) -> Int { view.queue.count }

    static func text(of entry: Int, in view: PlayerView) -> String {
        let item = view.queue[entry]
        return [item.title, item.detail, item.searched].compactMap(\.self).joined(separator: "\n")
    }

    static func isSame(in left: PlayerView, _ right: PlayerView) -> Bool { left.queue == right.queue }

    static func current(in view: PlayerView) -> Int? { view.currentIndex }

    mutating func update(_ view: PlayerView) {
        list.update(Self.self, view)
        total.update(view.queue)
    }

    mutating func open(_ view: PlayerView) {
        if let index = view.currentIndex, list.window.selection == 0 { list.select(entry: index) }
    }

    mutating func carryOut(_ command: FaceCommand, in view: PlayerView) -> PageAnswer {
        if command == .clearQueue, !view.queue.isEmpty {
            return .prompt(Prompt(.confirm("Empty the queue?", .command(.clear))))
        }
        if command == .saveQueue {
            return view.queue.isEmpty ? .message("The queue is empty.") : .prompt(Prompt(.saveQueue))
        }
        guard let entry = list.selectedEntry else { return .nothing }
        switch command {
        case .activate: return .actions([.command(.goTo(entry))])
        case .remove: return .actions([.command(.remove(entry))])
        case .moveUp, .moveDown:
            let target = command == .moveUp ? entry - 1 : entry + 1
            // With a filter, the neighbor in the queue may be hidden, so entries are not moved.
            guard list.filter.isEmpty, view.queue.indices.contains(target) else { return .nothing }
            list.window.select(target)
            return .actions([.command(.move(from: entry, to: target))])
        default: return .nothing
        }
    }

    func title(in view: PlayerView) -> String { PlayerPage.queue.title }

    func countText(in view: PlayerView) -> String {
        let sum = total.total
        return "\(view.queue.count)" + (sum > 0 && sum.isFinite ? "  \(ClockTime.text(sum))" : "")
    }

    func emptyText(in view: PlayerView) -> String {
        "The queue is empty. Press o to open an address or a path, or go to the files on page 6."
    }

    var hints: [KeyHint] {
        [
            ([.face(.activate)], "play"), ([.face(.remove)], "remove"),
            ([.face(.moveUp), .face(.moveDown)], "move"),
            ([.face(.filter)], "filter"),
        ]
    }

    func row(_ entry: Int, in view: PlayerView, styles: Styles, isWide: Bool) -> ListRow? {
        let item = view.queue[entry]
        let isCurrent = entry == view.currentIndex
        return ListRow(
            sign: isCurrent ? "►" : item.failure == nil ? " " : "!",
            number: entry + 1,
            title: item.title,
            detail: item.failure ?? item.detail,
            end: item.failure == nil ? item.duration.map { ClockTime.text($0) } ?? "" : "failed",
            style: item.failure != nil ? styles.error : isCurrent ? styles.accent : styles.text,
            isFailed: item.failure != nil
        )
    }
}

/// The cached total duration of a queue.
private struct QueueTotal {
    private var queue: [QueueEntry] = []
    /// The sum of the known durations, in seconds.
    private(set) var total = 0.0

    /// Updates the total if the queue has changed.
    mutating func update(_ new: [QueueEntry]) {
        guard new != queue else { return }
        queue = new
        total = new.reduce(0) { $0 + max($1.duration ?? 0, 0) }
    }
}
