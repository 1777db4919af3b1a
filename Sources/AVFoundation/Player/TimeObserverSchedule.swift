internal import CoreMedia

/// Decides which time observers of a player are called, and when the next is due.
///
/// Times are seconds of the item. No clock, no thread.
struct TimeObserverSchedule {
    private struct Periodic {
        var interval: Double
        /// The number of whole intervals at the last call.
        var lastCount: Double
    }

    private var periodic: [Int: Periodic] = [:]
    private var boundaries: [Int: [Double]] = [:]
    private var lastID = 0
    /// The time up to which observers have been called.
    private(set) var time = 0.0

    var isEmpty: Bool { periodic.isEmpty && boundaries.isEmpty }

    /// Adds an observer that is called at multiples of `interval`, and at jumps; not less than a millisecond.
    mutating func addPeriodic(every interval: Double) -> Int {
        lastID += 1
        let interval = interval.isFinite ? max(interval, 0.001) : 1e9
        periodic[lastID] = Periodic(interval: interval, lastCount: (time / interval).rounded(.down))
        return lastID
    }

    /// Adds an observer that is called when one of `times` is passed in playing.
    mutating func addBoundaries(_ times: [Double]) -> Int {
        lastID += 1
        boundaries[lastID] = times.filter(\.isFinite).sorted()
        return lastID
    }

    /// Removes an observer; without effect on one that is not there.
    mutating func remove(_ id: Int) {
        periodic[id] = nil
        boundaries[id] = nil
    }

    /// Playing has come to `time`: returns the observers to call, in the order in which they were added.
    ///
    /// A clock that steps back a little calls nothing twice.
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

    /// The time has jumped, or playing has begun or stopped: returns the periodic observers.
    mutating func jump(to now: Double) -> [Int] {
        time = now
        for id in periodic.keys {
            if let interval = periodic[id]?.interval { periodic[id]?.lastCount = (now / interval).rounded(.down) }
        }
        return periodic.keys.sorted()
    }

    /// The next time at which an observer is due; `nil` without one.
    var nextTime: Double? {
        let ticks = periodic.values.map { ($0.lastCount + 1) * $0.interval }
        let marks = boundaries.values.compactMap { times in times.first { $0 > time } }
        return (ticks + marks).min()
    }
}
