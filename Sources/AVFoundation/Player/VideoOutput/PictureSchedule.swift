/// Decides which pictures a video output decodes ahead, keeps and gives.
///
/// Times are seconds of the item. No clock, no thread.
struct PictureSchedule<Picture> {
    /// A decoded picture, and the time for which it is shown.
    struct Entry {
        let number: Int
        let start: Double
        let end: Double
        let picture: Picture
    }

    /// The next step of the thread that decodes.
    enum Step: Equatable {
        /// Nothing is to be done until a picture is asked for.
        case wait
        /// Go to the picture of a time.
        case seek(Double)
        /// Decode the next picture; one that ends before a time is not needed.
        case decode(notBefore: Double)
    }

    /// The number of jumps so far: pictures decoded before the last are not wanted.
    private(set) var jumps = 0
    /// The pictures that are held, in order: the one that is shown and those after it.
    private(set) var entries: [Entry] = []
    private var wanted: Double?
    /// The time of a seek that has not begun.
    private var target: Double?
    /// The time from which on the pictures that are held or being decoded cover all times.
    private var first = 0.0
    /// The time up to which pictures have been decoded.
    private var reached = 0.0
    private var isAtEnd = false
    /// Whether the last two times that were asked for go back: pictures ahead are not wanted then.
    private var goesBack = false
    private var lastNumber = 0
    private var takenNumber = 0

    /// Pictures that are held at most.
    static var capacity: Int { 4 }
    /// A time further ahead than this, in seconds, is gone to as to any other.
    static var longestWay: Double { 1 }
    /// The longest time between two requests of a program that shows pictures one after the other, in seconds.
    static var longestStep: Double { 0.25 }
    /// Times are compared with this much latitude, in seconds: those of players are rounded to nanoseconds.
    private static var latitude: Double { 1e-6 }

    /// Asks for the picture of a time, and for those after it.
    mutating func want(_ time: Double) {
        guard time.isFinite else { return }
        let previous = wanted
        wanted = time
        if let previous, time != previous { goesBack = time < previous }
        let isBehind = time < first - Self.latitude
        let isFarAhead = !isAtEnd && time > reached + Self.longestWay
        guard let previous, !isBehind, !isFarAhead else { return jump(to: time) }
        dropPassed(time)
        // While time goes on, a late picture is better than none. After a leap it would be a wrong one.
        if time > previous + Self.longestStep, !isAtEnd, let last = entries.last, last.end <= time {
            (entries, first) = ([], time)
        }
    }

    /// Drops all pictures: time has jumped.
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
    /// Before the first picture of all it is that one, and behind the last the last.
    func entry(at time: Double) -> Entry? {
        guard time >= first - Self.latitude else { return nil }
        return entries.last { $0.start <= time + Self.latitude } ?? entries.first
    }

    /// Whether a picture has not been given yet.
    func isNew(_ entry: Entry) -> Bool { entry.number > takenNumber }

    /// Records that a picture has been given.
    mutating func take(_ entry: Entry) { takenNumber = max(takenNumber, entry.number) }

    // MARK: The thread that decodes

    /// Returns the next step.
    mutating func nextStep() -> Step {
        guard let wanted else { return .wait }
        if let target {
            self.target = nil
            return .seek(target)
        }
        guard !isAtEnd, entries.count < (goesBack ? 1 : Self.capacity) else { return .wait }
        return .decode(notBefore: wanted)
    }

    /// Takes a picture that has been decoded after so many jumps.
    mutating func add(_ picture: Picture, from start: Double, to end: Double, afterJumps count: Int) {
        guard count == jumps else { return }
        lastNumber += 1
        entries.append(Entry(number: lastNumber, start: start, end: end, picture: picture))
        reached = max(reached, end)
        if let wanted { dropPassed(wanted) }
    }

    /// Passes over a picture that ends at a time, decoded after so many jumps.
    mutating func pass(_ end: Double, afterJumps count: Int) { if count == jumps { reached = max(reached, end) } }

    /// Takes note of the end of the pictures, after so many jumps.
    mutating func end(afterJumps count: Int) { if count == jumps { isAtEnd = true } }
}
