import SyrinxTerminal

/// The meters of all channels.
struct MeterBank: Sendable {
    /// The most channels shown.
    static let maximumCount = 8

    private(set) var meters: [LevelMeter] = []
    private var lastTime: Double?

    var isFalling: Bool { meters.contains(where: \.isFalling) }

    /// Takes the levels of a view, in dBFS, at its time in seconds.
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
