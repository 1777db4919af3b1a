import Foundation

/// Handles pointer, touch and key input of a waveform that serves as a seek bar, and returns seeks.
///
/// It owns the viewport. Times of the clock are seconds of a monotonic clock; pixels count from the left edge of the
/// view.
public struct WaveformInteraction: Sendable, Equatable {
    /// An event from the user or the player.
    public enum Event: Sendable, Equatable {
        /// The pointer has moved over the view, or anywhere while its button is pressed.
        case pointerMoved(x: Double)
        /// The pointer has left the view.
        case pointerLeft
        /// The primary button was pressed; a click count of 2 is a double-click.
        case pressed(x: Double, clicks: Int)
        /// The primary button was released.
        case released(x: Double)
        /// The gesture was cancelled by the window system or with Escape.
        case cancelled
        /// The wheel was turned, by a number of notches to the right and down.
        case wheel(dx: Double, dy: Double, x: Double, scrolls: Bool)
        /// A pinch gesture has started around a pixel.
        case pinchBegan(x: Double)
        /// The distance of the fingers is `scale` times the initial distance.
        case pinchChanged(scale: Double, x: Double)
        /// The pinch gesture has ended.
        case pinchEnded
        /// A key moves the position by a number of seconds.
        case step(Double)
        /// A key or another control moves the position to a time, in seconds.
        case jump(Double)
        /// A key zooms by a factor around the playhead.
        case zoom(Double)
        /// A key or a double-click shows the whole recording.
        case showWhole
        /// The next frame of the display, after `Action.startTicks`.
        case tick
        /// A seek has completed or failed.
        case seekFinished(id: Int)
        /// Another recording is displayed.
        case itemChanged(WaveformViewport.Extent)
    }

    /// An action for the player or the view.
    public enum Action: Sendable, Equatable {
        /// Seek.
        case seek(SeekScheduler.Seek)
        /// A drag has started: mute the sound, and let the video follow the seeks.
        case beginScrubbing
        /// The drag has ended: restore the previous playback state.
        case endScrubbing
        /// Redraw the view.
        case redraw
        /// Send `Event.tick` for each frame of the display.
        case startTicks
        /// Stop sending `Event.tick`.
        case stopTicks
    }

    private enum Gesture: Sendable, Equatable {
        case none
        case pressed(x: Double)
        case scrubbing(origin: Double, time: Double)
        case pinching(WaveformViewport, x: Double)
        /// The button is pressed, but ignored until it is released.
        case ignored
    }

    /// The distance in pixels from which a movement of the pressed pointer is a drag.
    private static let dragThreshold = 4.0
    /// The width of the area at either edge in which a drag scrolls, in pixels.
    private static let edgeWidth = 32.0
    /// The zoom factor per wheel notch.
    private static let wheelFactor = 1.25
    /// The distance that one wheel notch scrolls, in pixels.
    private static let wheelScroll = 80.0
    /// The zoom factor of a double-click while the whole recording is visible.
    private static let doubleClickFactor = 8.0

    /// The visible part of the recording.
    public var viewport: WaveformViewport
    /// The scheduler of seeks.
    public var seeks = SeekScheduler()
    /// The playback position that `setPosition` has set, in seconds.
    public private(set) var playerPosition = 0.0
    /// The position of the pointer in pixels; `nil` if it is not over the view.
    public private(set) var pointer: Double?
    private var gesture = Gesture.none
    private var ticks = false
    private var lastTick: Double?

    /// Creates the state of a view.
    /// - Parameter width: The width of the view, in pixels.
    public init(width: Double) { viewport = WaveformViewport(width: width) }

    /// Whether a drag is changing the position.
    public var isScrubbing: Bool { scrubTime != nil }
    /// Whether positions can be selected, because some of the recording is known.
    public var isSeekable: Bool { viewport.lastTime > 0 }

    private var scrubTime: Double? {
        if case .scrubbing(_, let time) = gesture { time } else { nil }
    }

    /// The position to display: that of a drag, otherwise that of a running seek, otherwise the playback position.
    public var position: Double { scrubTime ?? seeks.target ?? playerPosition }

    /// The time at the pointer; `nil` if the pointer is not over the view or nothing is known.
    public var hoverTime: Double? {
        guard isSeekable else { return nil }
        return scrubTime ?? pointer.map { viewport.position(atPixel: $0) }
    }

    /// Sets the playback position, and scrolls a page if the view follows it.
    /// - Parameter time: The position in seconds; infinity and NaN are ignored.
    /// - Returns: Whether to redraw, because the view has moved, or the playhead by at least a quarter of a pixel.
    public mutating func setPosition(_ time: Double) -> Bool {
        guard time.isFinite, time != playerPosition else { return false }
        playerPosition = max(time, 0)
        if case .none = gesture, viewport.follow(position) {
            drawnPosition = position
            return true
        }
        // Movements that are too small to draw accumulate.
        let former = drawnPosition
        guard abs(viewport.pixel(at: position) - viewport.pixel(at: former)) >= 0.25 else { return false }
        drawnPosition = position
        return viewport.isVisible(former) || viewport.isVisible(position)
    }

    /// The position of the playhead when it was last drawn.
    private var drawnPosition = 0.0

    /// Processes an event.
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The current time of the clock.
    /// - Returns: The actions, in order.
    public mutating func handle(_ event: Event, now: Double) -> [Action] {
        switch event {
        case .pointerMoved(let x): return move(to: x, now)
        case .pointerLeft:
            defer { pointer = nil }
            return pointer == nil ? [] : [.redraw]
        case .pressed(let x, let clicks): return press(x, clicks)
        case .released(let x): return release(x, now)
        case .cancelled: return cancel(now)
        case .wheel(let dx, let dy, let x, let scrolls): return turn(dx, dy, x, scrolls)
        case .pinchBegan(let x):
            guard case .none = gesture, x.isFinite else { return [] }
            gesture = .pinching(viewport, x: x)
            return []
        case .pinchChanged(let scale, let x): return pinch(scale, x)
        case .pinchEnded:
            if case .pinching = gesture { gesture = .none }
            return []
        case .step(let seconds): return seek(to: position + seconds, now)
        case .jump(let time): return seek(to: time, now)
        case .zoom(let factor):
            let anchor = position
            return change { $0.zoom(by: factor, aroundTime: anchor) }
        case .showWhole: return change { $0.showWhole() }
        case .tick: return tick(now)
        case .seekFinished(let id): return finishSeek(id, now)
        case .itemChanged(let extent): return changeItem(extent)
        }
    }

    // MARK: The pointer

    private mutating func move(to x: Double, _ now: Double) -> [Action] {
        guard x.isFinite else { return [] }
        let hovers = pointer != x
        pointer = x
        switch gesture {
        case .pressed(let origin) where abs(x - origin) >= Self.dragThreshold:
            gesture = .scrubbing(origin: position, time: position)
            return [.beginScrubbing] + scrub(now)
        case .scrubbing: return scrub(now)
        default: return hovers ? [.redraw] : []
        }
    }

    private mutating func press(_ x: Double, _ clicks: Int) -> [Action] {
        guard case .none = gesture, x.isFinite else { return [] }
        pointer = x
        guard isSeekable else {
            gesture = .ignored
            return []
        }
        guard clicks < 2 else {
            gesture = .ignored
            guard clicks == 2 else { return [] }
            return change {
                if $0.isWhole { $0.zoom(by: Self.doubleClickFactor, aroundPixel: x) } else { $0.showWhole() }
            }
        }
        gesture = .pressed(x: x)
        return []
    }

    private mutating func release(_ x: Double, _ now: Double) -> [Action] {
        let former = gesture
        gesture = .none
        switch former {
        case .pressed(let origin):
            let pixel = x.finite(or: origin).clamped(to: 0...viewport.width)
            return seek(to: viewport.position(atPixel: pixel), now)
        case .scrubbing(_, let time):
            let pixel = x.isFinite ? x.clamped(to: 0...viewport.width) : nil
            let target = pixel.map { viewport.position(atPixel: $0) } ?? time
            return seek(to: target, now) + [.endScrubbing] + endTicks()
        case .pinching:
            gesture = former
            return []
        case .none, .ignored: return []
        }
    }

    private mutating func scrub(_ now: Double) -> [Action] {
        guard case .scrubbing(let origin, let former) = gesture, let pointer else { return [] }
        let time = viewport.position(atPixel: pointer.clamped(to: 0...viewport.width))
        gesture = .scrubbing(origin: origin, time: time)
        var actions: [Action] = [.redraw]
        if time != former, let seek = seeks.request(time, now: now) { actions.append(.seek(seek)) }
        let needsTicks = edgeDepth != 0 || seeks.nextStart != nil
        if needsTicks, !ticks {
            ticks = true
            lastTick = now
            actions.append(.startTicks)
        }
        return actions
    }

    /// The depth of the pointer in a scrolling edge, −4…4; negative at the start.
    private var edgeDepth: Double {
        guard isScrubbing, !viewport.isWhole, let pointer else { return 0 }
        let edge = min(Self.edgeWidth, viewport.width / 8)
        if pointer < edge, viewport.start > 0 { return -min((edge - pointer) / edge, 4) }
        let rest = viewport.width - pointer
        if rest < edge, viewport.end < viewport.contentLength { return min((edge - rest) / edge, 4) }
        return 0
    }

    private mutating func tick(_ now: Double) -> [Action] {
        guard ticks else { return [] }
        let elapsed = (now - (lastTick ?? now)).clamped(to: 0...0.1)
        lastTick = now
        var actions: [Action] = []
        let depth = edgeDepth
        if depth != 0 {
            let follows = viewport.followsPlayhead
            viewport.scroll(byPixels: depth * elapsed * viewport.width / 2)
            viewport.followsPlayhead = follows
            actions = scrub(now)
        } else if let seek = seeks.advance(now: now) {
            actions.append(.seek(seek))
        }
        if edgeDepth == 0, seeks.nextStart == nil { actions += endTicks() }
        return actions
    }

    private mutating func endTicks() -> [Action] {
        lastTick = nil
        defer { ticks = false }
        return ticks ? [.stopTicks] : []
    }

    private mutating func cancel(_ now: Double) -> [Action] {
        defer { if case .pinching = gesture {} else { gesture = .none } }
        guard case .scrubbing(let origin, _) = gesture else { return [] }
        gesture = .none
        return seek(to: origin, now) + [.endScrubbing] + endTicks()
    }

    // MARK: Zoom and scrolling

    private mutating func change(_ body: (inout WaveformViewport) -> Void) -> [Action] {
        var changed = viewport
        body(&changed)
        guard changed != viewport else { return [] }
        viewport = changed
        return [.redraw]
    }

    private mutating func turn(_ dx: Double, _ dy: Double, _ x: Double, _ scrolls: Bool) -> [Action] {
        guard dx.isFinite, dy.isFinite, x.isFinite else { return [] }
        let (across, up) = scrolls ? (dx + dy, 0) : (dx, dy)
        // A factor of 2^±30 exceeds the range of zooms.
        let exponent = (-up).clamped(to: -90...90)
        return change {
            if exponent != 0 { $0.zoom(by: pow(Self.wheelFactor, exponent), aroundPixel: x) }
            if across != 0 { $0.scroll(byPixels: across * Self.wheelScroll) }
        }
    }

    private mutating func pinch(_ scale: Double, _ x: Double) -> [Action] {
        guard case .pinching(let former, let origin) = gesture, scale.isFinite, scale > 0, x.isFinite else { return [] }
        return change {
            let (width, extent) = ($0.width, $0.extent)
            $0 = former
            $0.setWidth(width)
            $0.setExtent(extent)
            $0.zoom(by: scale, aroundPixel: origin)
            // The time that was between the fingers stays there when they move together.
            if x != origin { $0.scroll(byPixels: origin - x) }
        }
    }

    // MARK: Seeks

    private mutating func seek(to time: Double, _ now: Double) -> [Action] {
        guard time.isFinite, isSeekable else { return [] }
        let target = time.clamped(to: 0...viewport.lastTime)
        viewport.followsPlayhead = true
        viewport.reveal(target)
        guard let seek = seeks.request(target, isExact: true, now: now) else { return [] }
        return [.seek(seek), .redraw]
    }

    private mutating func finishSeek(_ id: Int, _ now: Double) -> [Action] {
        let reached = seeks.inFlight.flatMap { $0.id == id ? $0.time : nil }
        let next = seeks.finish(id, now: now)
        // The playhead stays at the target until the player reports a position.
        if let reached { playerPosition = reached }
        if let next { return [.seek(next)] }
        guard seeks.nextStart != nil, !ticks else { return reached == nil ? [] : [.redraw] }
        ticks = true
        lastTick = now
        return [.startTicks]
    }

    private mutating func changeItem(_ extent: WaveformViewport.Extent) -> [Action] {
        let wasScrubbing = isScrubbing
        gesture = gesture == .none ? .none : .ignored
        seeks.reset()
        playerPosition = 0
        drawnPosition = 0
        viewport.reset(to: extent)
        return (wasScrubbing ? [.endScrubbing] : []) + endTicks() + [.redraw]
    }
}
