/// The part of a recording that a waveform view shows, and the relation between its pixels and times.
///
/// Times are seconds from the start of the recording; pixels count from the left edge of the view and may be fractions.
/// Numbers that are infinite or no numbers change nothing.
public struct WaveformViewport: Sendable, Equatable {
    /// The knowledge about the length of the recording.
    public enum Extent: Sendable, Equatable {
        /// Nothing has arrived, and no length is stated.
        case unknown
        /// The recording lasts at least so many seconds; it is live, or its container states no length.
        case growing(Double)
        /// The recording lasts so many seconds.
        case known(Double)
    }

    /// The position in the view where a followed playhead reappears, and the position from which it does.
    ///
    /// The view turns like a page, so that nothing is redrawn in between.
    private static let pageMargin = 0.1
    /// The longest recording, in seconds: some 31 years.
    public static let maximumLength = 1e9
    /// The seconds of the narrowest pixel.
    public static let minimumSecondsPerPixel = 1e-5
    /// The seconds that an unknown recording takes up.
    private static let unknownLength = 60.0

    /// The knowledge about the length of the recording.
    public private(set) var extent = Extent.unknown
    /// The pixels of the view, at least 1.
    public private(set) var width: Double
    /// The time at the left edge.
    public private(set) var start = 0.0
    /// The seconds between the edges.
    public private(set) var length = Self.unknownLength
    /// Whether all of the recording is shown, however long it grows.
    public private(set) var isWhole = true
    /// Whether the view keeps the playhead visible.
    public var followsPlayhead = true

    /// Creates a viewport over a recording of unknown length.
    /// - Parameter width: The pixels of the view.
    public init(width: Double) { self.width = Self.usable(width) }

    private static func usable(_ width: Double) -> Double { width.finite(or: 1).clamped(to: 1...1e6) }

    // MARK: Lengths

    /// The seconds that the whole view takes up: the length of the recording, or more while it grows.
    ///
    /// A growing recording takes up the next of lengths that lie a quarter apart, so that the waveform is not scaled
    /// with everything that arrives.
    public var contentLength: Double {
        switch extent {
        case .unknown: return Self.unknownLength
        case .known(let seconds): return seconds
        case .growing(let seconds):
            var capacity = Self.unknownLength
            while capacity < seconds { capacity *= 1.25 }
            return capacity
        }
    }

    /// The last time at which a position can lie: the end of the recording as far as it is known.
    public var lastTime: Double {
        switch extent {
        case .unknown: 0
        case .known(let seconds), .growing(let seconds): seconds
        }
    }

    /// The seconds of a pixel.
    public var secondsPerPixel: Double { length / width }
    /// The time at the right edge.
    public var end: Double { min(start + length, contentLength) }

    private var minimumLength: Double { min(width * Self.minimumSecondsPerPixel, contentLength) }

    /// Sets the knowledge about the length of the recording.
    ///
    /// A view of the whole remains one; any other keeps its place and its zoom as far as the length allows.
    /// - Parameter extent: The new knowledge; a length that is negative, infinite or no number counts as unknown.
    public mutating func setExtent(_ extent: Extent) {
        switch extent {
        case .known(let seconds) where seconds.isFinite && seconds > 0:
            self.extent = .known(seconds.clamped(to: 1e-3...Self.maximumLength))
        case .growing(let seconds) where seconds.isFinite && seconds > 0:
            self.extent = .growing(min(seconds, Self.maximumLength))
        default:
            self.extent = .unknown
        }
        place(start: start, length: isWhole ? .infinity : length)
    }

    /// Sets the width of the view; the time at the left edge and the zoom remain.
    /// - Parameter width: The pixels of the view.
    public mutating func setWidth(_ width: Double) {
        let perPixel = secondsPerPixel
        self.width = Self.usable(width)
        place(start: start, length: isWhole ? .infinity : perPixel * self.width)
    }

    /// Shows another recording from the start, whole.
    /// - Parameter extent: The knowledge about its length.
    public mutating func reset(to extent: Extent = .unknown) {
        isWhole = true
        followsPlayhead = true
        start = 0
        setExtent(extent)
    }

    private mutating func place(start: Double, length: Double) {
        let content = contentLength
        isWhole = length >= content
        self.length = isWhole ? content : max(length, minimumLength)
        self.start = isWhole ? 0 : start.clamped(to: 0...max(content - self.length, 0))
    }

    // MARK: Pixels and times

    /// Returns the time at a pixel, within the recording as far as the view takes it to last.
    /// - Parameter pixel: The distance from the left edge; positions outside of the view are allowed.
    /// - Returns: A time that never falls while `pixel` rises.
    public func time(atPixel pixel: Double) -> Double {
        guard !pixel.isNaN else { return start }
        return (start + length * (pixel / width)).clamped(to: 0...contentLength)
    }

    /// Returns the position that a pixel stands for: the time there, at most that of the end.
    /// - Parameter pixel: The distance from the left edge.
    /// - Returns: Seconds from 0 to `lastTime`.
    public func position(atPixel pixel: Double) -> Double { min(time(atPixel: pixel), lastTime) }

    /// Returns the pixel of a time; outside of the view it is negative or beyond the width.
    /// - Parameter time: Seconds from the start of the recording.
    /// - Returns: A distance from the left edge that never falls while `time` rises.
    public func pixel(at time: Double) -> Double {
        guard time.isFinite else { return time == .infinity ? width : 0 }
        return (time - start) / length * width
    }

    /// Returns whether a time lies between the edges.
    /// - Parameter time: Seconds from the start of the recording.
    public func isVisible(_ time: Double) -> Bool { time >= start && time <= end }

    // MARK: Zoom

    /// Zooms, while the time at a pixel stays where it is as far as the ends of the recording allow.
    /// - Parameters:
    ///   - factor: The enlargement: 2 shows half as much; 0.5 twice as much.
    ///   - pixel: The anchor.
    public mutating func zoom(by factor: Double, aroundPixel pixel: Double) {
        guard factor.isFinite, factor > 0, pixel.isFinite else { return }
        let share = (pixel / width).clamped(to: 0...1)
        let anchor = start + length * share
        let wanted = max(length / factor, minimumLength)
        guard wanted < contentLength else { return showWhole() }
        place(start: anchor - wanted * share, length: wanted)
    }

    /// Zooms around a time if it is visible, else around the middle: the zoom by keys.
    /// - Parameters:
    ///   - factor: The enlargement.
    ///   - time: The position of the playhead, if there is one.
    public mutating func zoom(by factor: Double, aroundTime time: Double?) {
        let anchor = time.flatMap { isVisible($0) ? pixel(at: $0) : nil }
        zoom(by: factor, aroundPixel: anchor ?? width / 2)
    }

    /// Shows all of the recording.
    public mutating func showWhole() { place(start: 0, length: .infinity) }

    /// Shows a part of the recording, such as a chapter.
    /// - Parameters:
    ///   - from: The time at the left edge, as far as the zoom allows.
    ///   - to: The time at the right edge, not before `from`.
    public mutating func show(from: Double, to: Double) {
        guard from.isFinite, to.isFinite, from <= to else { return }
        let wanted = (to - from).clamped(to: minimumLength...Self.maximumLength)
        place(start: (from + to) / 2 - wanted / 2, length: wanted)
    }

    // MARK: Scrolling

    /// Scrolls by pixels; the view no longer follows the playhead if it moves.
    /// - Parameter pixels: The distance; positive towards the end.
    public mutating func scroll(byPixels pixels: Double) {
        guard pixels.isFinite else { return }
        let former = start
        place(start: start + pixels * secondsPerPixel, length: isWhole ? .infinity : length)
        if start != former { followsPlayhead = false }
    }

    /// Brings a time into view where it is not.
    /// - Parameter time: Seconds from the start of the recording.
    /// - Returns: Whether the view moved.
    @discardableResult
    public mutating func reveal(_ time: Double) -> Bool {
        guard time.isFinite, !isWhole, !isVisible(time) else { return false }
        let former = start
        place(start: time - length * Self.pageMargin, length: length)
        return start != former
    }

    /// Keeps the playhead visible, if the view follows it: turns the page when it comes near the right edge or leaves.
    /// - Parameter time: The position of the playhead.
    /// - Returns: Whether the view moved.
    @discardableResult
    public mutating func follow(_ time: Double) -> Bool {
        guard followsPlayhead, time.isFinite, !isWhole else { return false }
        guard time < start || time > start + length * (1 - Self.pageMargin) else { return false }
        let former = start
        place(start: time - length * Self.pageMargin, length: length)
        return start != former
    }
}
