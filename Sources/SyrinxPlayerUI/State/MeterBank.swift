import SyrinxTerminal

/// The level meters of all channels.
struct MeterBank: Sendable {
    /// The maximum number of displayed channels.
    static let maximumCount = 8

    private(set) var meters: [LevelMeter] = []
    private var lastTime: Double?

    var isFalling: Bool { meters.contains(where: \.isFalling) }

    /// Updates the meters with the levels of a view in dBFS, and its time in seconds.
    mutating func update(_ levels: [Float], at now: Double) {
        let elapsed = lastTime.map { now - $0 } ?? 0
        lastTime = now
        let count = min(levels.count, Self.maximumCount)
        if count > 0, count != meters.count {
            meters = Array(meters.prefix(count)) + Array(repeating: LevelMeter(), count: max(count - meters.count, 0))
        }
        for index in meters.indices {
            meters[index].update(decibels: index < count ? levels[index] : -.infinity, elapsed: elapsed)
        }
    }
}
