internal import CoreMedia

/// Decides which time observers of a player are called, and when the next one is due.
///
/// A pure value, without a clock or a thread; times are seconds of the item.
struct TimeObserverSchedule {
    private struct Periodic {
        var interval: Double
        /// The number of whole intervals at the last call.
        var lastCount: Double
    }

    private var periodic: [Int: Periodic] = [:]
    private var boundaries: [Int: [Double]] = [:]
    private var lastID = 0
    /// The time up to which observers were called.
    private(set) var time = 0.0

    var isEmpty: Bool { periodic.isEmpty && boundaries.isEmpty }

    /// Adds an observer for multiples of `interval` (at least 1 ms) and for jumps.
    mutating func addPeriodic(every interval: Double) -> Int {
        lastID += 1
        let interval = interval.isFinite ? max(interval, 0.001) : 1e9
        periodic[lastID] = Periodic(interval: interval, lastCount: (time / interval).rounded(.down))
        return lastID
    }

    /// Adds an observer that is called when playback passes one of `times`.
    mutating func addBoundaries(_ times: [Double]) -> Int {
        lastID += 1
        boundaries[lastID] = times.filter(\.isFinite).sorted()
        return lastID
    }

    /// Removes an observer; an unknown ID has no effect.
    mutating func remove(_ id: Int) {
        periodic[id] = nil
        boundaries[id] = nil
    }

    /// Advances to the playback position `now`; returns the observers to call, in the order in which they were added.
    ///
    /// If the clock steps back slightly, no observer is called twice.
    mutating func advance(to now: Double) -> [Int] {
        guard now > time else { return [] }
        var due: [Int] = []
        for (id, observer) in periodic {
            let count = (now / observer.interval).rounded(.down)
            guard count > observer.lastCount else { continue }
            periodic[id]?.lastCount = count
            due.append(id)
        }
        for (id, times) in boundaries where times.contains(where: { $0 > time && $0 <= now }) { due.append(id) }
        time = now
        return due.sorted()
    }

    /// Notes a jump, or a start or stop of playback, at `now`; returns the periodic observers.
    mutating func jump(to now: Double) -> [Int] {
        time = now
        for id in periodic.keys {
            if let interval = periodic[id]?.interval { periodic[id]?.lastCount = (now / interval).rounded(.down) }
        }
        return periodic.keys.sorted()
    }

    /// The time of the next due observer; `nil` if there is none.
    var nextTime: Double? {
        let ticks = periodic.values.map { ($0.lastCount + 1) * $0.interval }
        let marks = boundaries.values.compactMap { times in times.first { $0 > time } }
        return (ticks + marks).min()
    }
}
