/// The visible part of a recording in a waveform view, which converts between pixels and times.
///
/// Times are in seconds from the start of the recording; pixels count from the left edge of the view, and may be
/// fractions. Infinity and NaN are ignored.
public struct WaveformViewport: Sendable, Equatable {
    /// The knowledge about the duration of the recording.
    public enum Extent: Sendable, Equatable {
        /// Nothing is known.
        case unknown
        /// The recording lasts at least this number of seconds, because it is live or its container states no duration.
        case growing(Double)
        /// The recording lasts this number of seconds.
        case known(Double)
    }

    /// The position in the view, as a fraction of its width, at which a followed playhead reappears after scrolling a
    /// page.
    ///
    /// The view scrolls by pages, so that it need not be redrawn in between. It scrolls when the playhead is as far
    /// from the right edge.
    private static let pageMargin = 0.1
    /// The maximum duration of a recording in seconds, about 31 years.
    public static let maximumLength = 1e9
    /// The minimum duration of a pixel, in seconds.
    public static let minimumSecondsPerPixel = 1e-5
    /// The displayed duration of an unknown recording, in seconds.
    private static let unknownLength = 60.0

    /// The knowledge about the duration of the recording.
    public private(set) var extent = Extent.unknown
    /// The width of the view in pixels, at least 1.
    public private(set) var width: Double
    /// The time at the left edge, in seconds.
    public private(set) var start = 0.0
    /// The visible duration, in seconds.
    public private(set) var length = Self.unknownLength
    /// Whether the whole recording is visible, even if it grows.
    public private(set) var isWhole = true
    /// Whether the view keeps the playhead visible.
    public var followsPlayhead = true

    /// Creates a viewport for a recording of unknown duration.
    /// - Parameter width: The width of the view, in pixels.
    public init(width: Double) { self.width = Self.usable(width) }

    private static func usable(_ width: Double) -> Double { width.finite(or: 1).clamped(to: 1...1e6) }

    // MARK: Durations

    /// The duration in seconds that the whole view represents: that of the recording, or more while it grows.
    ///
    /// The duration of a growing recording is rounded up in steps of a quarter, so that the waveform is not rescaled
    /// whenever data arrive.
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

    /// The last selectable time: the end of the recording as far as it is known, in seconds.
    public var lastTime: Double {
        switch extent {
        case .unknown: 0
        case .known(let seconds), .growing(let seconds): seconds
        }
    }

    /// The duration of a pixel, in seconds.
    public var secondsPerPixel: Double { length / width }
    /// The time at the right edge, in seconds.
    public var end: Double { min(start + length, contentLength) }

    private var minimumLength: Double { min(width * Self.minimumSecondsPerPixel, contentLength) }

    /// Sets the knowledge about the duration of the recording.
    ///
    /// A view of the whole recording continues to show all of it; any other view keeps its position and zoom if
    /// possible.
    /// - Parameter extent: The new value; a duration that is negative, infinite or NaN counts as unknown.
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

    /// Sets the width of the view, keeping the zoom and the time at the left edge.
    /// - Parameter width: The width of the view, in pixels.
    public mutating func setWidth(_ width: Double) {
        let perPixel = secondsPerPixel
        self.width = Self.usable(width)
        place(start: start, length: isWhole ? .infinity : perPixel * self.width)
    }

    /// Shows another recording as a whole.
    /// - Parameter extent: The knowledge about its duration.
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

    /// Returns the time at a pixel, limited to the displayed duration.
    /// - Parameter pixel: The distance from the left edge, which may be outside of the view.
    /// - Returns: A time in seconds, which does not decrease when `pixel` increases.
    public func time(atPixel pixel: Double) -> Double {
        guard !pixel.isNaN else { return start }
        return (start + length * (pixel / width)).clamped(to: 0...contentLength)
    }

    /// Returns the selectable position at a pixel.
    /// - Parameter pixel: The distance from the left edge.
    /// - Returns: A position in seconds, from 0 to `lastTime`.
    public func position(atPixel pixel: Double) -> Double { min(time(atPixel: pixel), lastTime) }

    /// Returns the pixel of a time; outside of the view it is negative or larger than the width.
    /// - Parameter time: The time, in seconds.
    /// - Returns: The distance from the left edge, which does not decrease when `time` increases.
    public func pixel(at time: Double) -> Double {
        guard time.isFinite else { return time == .infinity ? width : 0 }
        return (time - start) / length * width
    }

    /// Returns whether a time is visible.
    /// - Parameter time: The time, in seconds.
    public func isVisible(_ time: Double) -> Bool { time >= start && time <= end }

    // MARK: Zoom

    /// Zooms around a pixel, whose time stays there unless an end of the recording prevents it.
    /// - Parameters:
    ///   - factor: The zoom factor: 2 shows half of the time, 0.5 twice the time.
    ///   - pixel: The distance from the left edge.
    public mutating func zoom(by factor: Double, aroundPixel pixel: Double) {
        guard factor.isFinite, factor > 0, pixel.isFinite else { return }
        let share = (pixel / width).clamped(to: 0...1)
        let anchor = start + length * share
        let wanted = max(length / factor, minimumLength)
        guard wanted < contentLength else { return showWhole() }
        place(start: anchor - wanted * share, length: wanted)
    }

    /// Zooms around a time if it is visible, otherwise around the middle, for zooming by keys.
    /// - Parameters:
    ///   - factor: The zoom factor.
    ///   - time: The position of the playhead in seconds; `nil` if there is none.
    public mutating func zoom(by factor: Double, aroundTime time: Double?) {
        let anchor = time.flatMap { isVisible($0) ? pixel(at: $0) : nil }
        zoom(by: factor, aroundPixel: anchor ?? width / 2)
    }

    /// Shows the whole recording.
    public mutating func showWhole() { place(start: 0, length: .infinity) }

    /// Shows a part of the recording, such as a chapter.
    /// - Parameters:
    ///   - from: The time at the left edge, as far as the zoom range allows.
    ///   - to: The time at the right edge, not less than `from`.
    public mutating func show(from: Double, to: Double) {
        guard from.isFinite, to.isFinite, from <= to else { return }
        let wanted = (to - from).clamped(to: minimumLength...Self.maximumLength)
        place(start: (from + to) / 2 - wanted / 2, length: wanted)
    }

    // MARK: Scrolling

    /// Scrolls by a number of pixels; if the view moves, it stops following the playhead.
    /// - Parameter pixels: The distance, positive toward the end.
    public mutating func scroll(byPixels pixels: Double) {
        guard pixels.isFinite else { return }
        let former = start
        place(start: start + pixels * secondsPerPixel, length: isWhole ? .infinity : length)
        if start != former { followsPlayhead = false }
    }

    /// Scrolls to a time if it is not visible.
    /// - Parameter time: The time, in seconds.
    /// - Returns: Whether the view has moved.
    @discardableResult
    public mutating func reveal(_ time: Double) -> Bool {
        guard time.isFinite, !isWhole, !isVisible(time) else { return false }
        let former = start
        place(start: time - length * Self.pageMargin, length: length)
        return start != former
    }

    /// Keeps the playhead visible if the view follows it, by scrolling a page near the right edge or outside of the
    /// view.
    /// - Parameter time: The position of the playhead, in seconds.
    /// - Returns: Whether the view has moved.
    @discardableResult
    public mutating func follow(_ time: Double) -> Bool {
        guard followsPlayhead, time.isFinite, !isWhole else { return false }
        guard time < start || time > start + length * (1 - Self.pageMargin) else { return false }
        let former = start
        place(start: time - length * Self.pageMargin, length: length)
        return start != former
    }
}
