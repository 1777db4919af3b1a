/// Decides which pictures a video output decodes ahead, holds and returns.
///
/// A pure value, without a clock or a thread; times are seconds of the item.
struct PictureSchedule<Picture> {
    /// A decoded picture with its display time.
    struct Entry {
        let number: Int
        let start: Double
        let end: Double
        let picture: Picture
    }

    /// The next step of the decoding thread.
    enum Step: Equatable {
        /// Wait until a picture is requested.
        case wait
        /// Seek to the picture at a time.
        case seek(Double)
        /// Decode the next picture; a picture that ends before the time can be skipped.
        case decode(notBefore: Double)
    }

    /// The number of jumps so far: pictures that were decoded before the last jump are obsolete.
    private(set) var jumps = 0
    /// The held pictures in order: the one that is shown now, and those after it.
    private(set) var entries: [Entry] = []
    private var wanted: Double?
    /// The target of a seek that has not started.
    private var target: Double?
    /// The start of the time range that the held and pending pictures cover.
    private var first = 0.0
    /// The time up to which pictures were decoded.
    private var reached = 0.0
    private var isAtEnd = false
    /// Whether the last two requests went backward: then no pictures are decoded ahead.
    private var goesBack = false
    private var lastNumber = 0
    private var takenNumber = 0

    /// The maximum number of held pictures.
    static var capacity: Int { 4 }
    /// The maximum distance in seconds that is decoded through; a request further ahead causes a seek.
    static var longestWay: Double { 1 }
    /// The maximum interval, in seconds, between two requests of continuous playback.
    static var longestStep: Double { 0.25 }
    /// The tolerance in seconds when times are compared: times of players are rounded to nanoseconds.
    private static var latitude: Double { 1e-6 }

    /// Requests the picture for a time, and those after it.
    mutating func want(_ time: Double) {
        guard time.isFinite else { return }
        let previous = wanted
        wanted = time
        if let previous, time != previous { goesBack = time < previous }
        let isBehind = time < first - Self.latitude
        let isFarAhead = !isAtEnd && time > reached + Self.longestWay
        guard let previous, !isBehind, !isFarAhead else { return jump(to: time) }
        dropPassed(time)
        // During continuous playback, a late picture is better than none. After a leap, it would be wrong.
        if time > previous + Self.longestStep, !isAtEnd, let last = entries.last, last.end <= time {
            (entries, first) = ([], time)
        }
    }

    /// Discards all pictures after a jump of the position.
    mutating func jump(to time: Double) {
        guard time.isFinite else { return }
        jumps += 1
        wanted = time
        target = time
        (first, reached, isAtEnd) = (time, time, false)
        entries = []
    }

    private mutating func dropPassed(_ time: Double) {
        let passed = entries.lastIndex { $0.start <= time + Self.latitude } ?? 0
        guard passed > 0 else { return }
        entries.removeFirst(passed)
        first = entries.first?.start ?? first
    }

    /// Returns the picture to show at a time; `nil` if it has not been decoded.
    ///
    /// A time outside of the video selects the first or the last picture.
    func entry(at time: Double) -> Entry? {
        guard time >= first - Self.latitude else { return nil }
        return entries.last { $0.start <= time + Self.latitude } ?? entries.first
    }

    /// Returns whether a picture was not taken yet.
    func isNew(_ entry: Entry) -> Bool { entry.number > takenNumber }

    /// Notes that a picture was taken.
    mutating func take(_ entry: Entry) { takenNumber = max(takenNumber, entry.number) }

    // MARK: The decoding thread

    /// Returns the next step of the decoding thread.
    mutating func nextStep() -> Step {
        guard let wanted else { return .wait }
        if let target {
            self.target = nil
            return .seek(target)
        }
        guard !isAtEnd, entries.count < (goesBack ? 1 : Self.capacity) else { return .wait }
        return .decode(notBefore: wanted)
    }

    /// Adds a picture, unless the position has jumped since it was requested.
    mutating func add(_ picture: Picture, from start: Double, to end: Double, afterJumps count: Int) {
        guard count == jumps else { return }
        lastNumber += 1
        entries.append(Entry(number: lastNumber, start: start, end: end, picture: picture))
        reached = max(reached, end)
        if let wanted { dropPassed(wanted) }
    }

    /// Skips a picture that ends at a time, unless the position has jumped since.
    mutating func pass(_ end: Double, afterJumps count: Int) { if count == jumps { reached = max(reached, end) } }

    /// Notes the end of the video, unless the position has jumped since.
    mutating func end(afterJumps count: Int) { if count == jumps { isAtEnd = true } }
}
