/// The choice of the picture to show in each frame of the display.
///
/// Pictures come in the order of their times, decoded ahead; the time of the sound at the next frame of the display decides.
/// Times are seconds of the recording.
public struct VideoSync<Picture> {
    /// The decision for a frame of the display.
    public enum Decision {
        /// The picture that is shown stays.
        case keep
        /// Another picture is shown.
        case show(Picture)
    }

    /// A picture that waits.
    fileprivate struct Entry {
        var time: Double
        var picture: Picture
    }

    /// The greatest number of pictures that wait.
    public let capacity: Int
    /// The pictures that were left out because a later one was due.
    public private(set) var droppedCount = 0
    /// The pictures that were shown.
    public private(set) var shownCount = 0
    /// The time of the picture that is shown.
    public private(set) var shownTime: Double?
    /// The number of the seek whose pictures count.
    public private(set) var generation = 0
    private var waiting: [Entry] = []
    private var showsNext = true

    /// Creates a queue without pictures.
    /// - Parameter capacity: The greatest number of pictures that wait, at least 2; 8 by default.
    public init(capacity: Int = 8) { self.capacity = max(capacity, 2) }

    /// The number of pictures that the decoder may add now.
    public var wantedCount: Int { capacity - waiting.count }

    /// The time of the next picture, to be shown then; `nil` if none waits.
    public var nextTime: Double? { waiting.first?.time }

    /// Adds a decoded picture.
    /// - Parameters:
    ///   - picture: The picture.
    ///   - time: Its time; what is infinite or no number, and a time before that of the last one, is left out.
    ///   - generation: The number of the seek that it was decoded for; those of older ones are left out.
    /// - Returns: Whether the picture waits.
    @discardableResult
    public mutating func add(_ picture: Picture, time: Double, generation: Int) -> Bool {
        guard generation == self.generation, time.isFinite, waiting.count < capacity else { return false }
        if let last = waiting.last, time < last.time { return false }
        waiting.append(Entry(time: time, picture: picture))
        return true
    }

    /// Drops all that waits, as a seek begins.
    ///
    /// The first picture that comes next is shown at once, whatever its time is.
    /// - Returns: The number that pictures of this seek carry.
    public mutating func flush() -> Int {
        generation &+= 1
        waiting.removeAll(keepingCapacity: true)
        showsNext = true
        return generation
    }

    /// Decides what the next frame of the display shows.
    /// - Parameters:
    ///   - time: The time of the sound when that frame appears.
    ///   - frameDuration: The seconds of a frame of the display; a picture that is due within its first half is shown.
    /// - Returns: Whether another picture is shown, and which.
    public mutating func advance(to time: Double, frameDuration: Double) -> Decision {
        guard time.isFinite else { return .keep }
        let due = time + frameDuration.clamped(to: 0...1) / 2
        var count = waiting.prefix { $0.time <= due }.count
        if showsNext, count == 0, !waiting.isEmpty { count = 1 }
        guard count > 0 else { return .keep }
        showsNext = false
        droppedCount += count - 1
        shownCount += 1
        let entry = waiting[count - 1]
        waiting.removeFirst(count)
        shownTime = entry.time
        return .show(entry.picture)
    }
}

extension VideoSync: Sendable where Picture: Sendable {}
extension VideoSync.Decision: Sendable where Picture: Sendable {}
extension VideoSync.Entry: Sendable where Picture: Sendable {}
