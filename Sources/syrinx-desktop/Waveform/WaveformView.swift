import Foundation
import SyrinxDesktopModel
import SyrinxGTK

/// The waveform that is the seek bar.
///
/// The bars are rectangles of one color; a frame during playback changes only those at the playhead. An invisible
/// `GtkScale` covers the view: it has the focus, and reports the position to assistive technologies.
@MainActor
final class WaveformView {
    /// An effect on the player.
    enum Request {
        case seek(SeekScheduler.Seek)
        case scrubbing(Bool)
    }

    /// Receives the actions of the user.
    var onRequest: ((Request) -> Void)?
    /// Receives the position that has been drawn.
    var onDraw: ((Double) -> Void)?
    /// Returns the waveform as far as it is known.
    var source: () -> WaveformLoader? = { nil }
    /// The places that are marked.
    var places = Places() { didSet { canvas.queueDraw() } }
    private(set) var interaction = WaveformInteraction(width: 1)
    /// Whether a drag shows pictures, each of which is asked for.
    var isFilm = false { didSet { interaction.seeks.minimumInterval = isFilm ? 0.015 : 0.04 } }
    private let scale: Widget
    private let adjustment: Object
    private var valueChanges: SignalConnection?
    let canvas = Canvas.make(width: 240, height: 96)
    private var bars = WaveformBarPainter()
    /// Whether the spectrogram is drawn in place of the waveform.
    var showsSpectrogram = false { didSet { if showsSpectrogram != oldValue { canvas.queueDraw() } } }
    /// The colour beneath, if it is not the theme's.
    var background: Color? { didSet { if background != oldValue { canvas.queueDraw() } } }
    /// Returns what computes the spectrogram.
    var spectrogramSource: () -> SpectrogramLoader? = { nil }
    var spectrogram = SpectrogramTextures()
    private var frames = Frames()
    private var spokenSecond = -1
    private var pressCount = 1

    /// The places of the recording that are marked, in seconds and in order.
    struct Places {
        var chapterStarts: [Double] = []
        var bookmarks: [Double] = []
        var pauses: [(start: Double, end: Double)] = []
    }

    /// The frames that are drawn, or are asked for.
    private struct Frames {
        /// Whether the interaction is called before each frame.
        var ticks = false
        /// The time of the last frame, in seconds of the monotonic clock.
        var drawnAt: Double?
        /// Whether another frame has been asked for while one was drawn.
        var isRedrawing = false
        /// Whether the first frame with a waveform has been traced.
        var hasTraced = false
    }

    /// Puts the view into an overlay.
    init(_ overlay: Widget) {
        let builder = Builder(Self.description)
        scale = builder.get("seek")
        adjustment = builder.get("seekAdjustment", Object.self)
        canvas.onDraw { [weak self] in self?.draw($0) }
        overlay.setChild(canvas)
        overlay.addOverlay(scale)
        scale.setAccessibleLabel("Position")
        valueChanges = adjustment.on("value-changed") { [weak self] _ in
            guard let self else { return }
            self.handle(.jump(self.adjustment.double("value")))
        }
        scale.on("state-flags-changed") { [weak self] _ in self?.canvas.queueDraw() }
        listen()
    }

    private static let description = """
        <interface>
          <object class="GtkAdjustment" id="seekAdjustment">
            <property name="step-increment">10</property><property name="page-increment">60</property>
          </object>
          <object class="GtkScale" id="seek">
            <property name="adjustment">seekAdjustment</property><property name="can-target">False</property>
            <property name="round-digits">-1</property>
            <style><class name="seek"/></style>
          </object>
        </interface>
        """

    private func listen() {
        canvas.onHover { [weak self] place in
            self?.handle(place.map { .pointerMoved(x: $0.x) } ?? .pointerLeft)
        }
        canvas.onPress(captures: true) { [weak self] count in
            self?.scale.grabFocus()
            self?.pressCount = count
        }
        canvas.onDrag { [weak self] step in
            guard let self else { return }
            switch step {
            case .began(let x, _): self.handle(.pressed(x: x, clicks: self.pressCount))
            case .moved(let x, _): self.handle(.pointerMoved(x: x))
            case .ended(let x, _): self.handle(.released(x: x))
            case .cancelled: self.handle(.cancelled)
            }
        }
        canvas.onScroll { [weak self] dx, dy, modifiers in
            guard let self else { return false }
            let x = self.interaction.pointer ?? self.canvas.width / 2
            self.handle(.wheel(dx: dx, dy: dy, x: x, scrolls: modifiers.contains(.shift)))
            return true
        }
        canvas.onPinch { [weak self] step in
            guard let self else { return }
            let x = self.interaction.pointer ?? self.canvas.width / 2
            switch step {
            case .began: self.handle(.pinchBegan(x: x))
            case .changed(let scale): self.handle(.pinchChanged(scale: scale, x: x))
            case .ended: self.handle(.pinchEnded)
            }
        }
    }

    /// Whether the view has the focus.
    var hasFocus: Bool { scale.hasFocus }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }

    /// Handles an event of the user or of the player.
    func handle(_ event: WaveformInteraction.Event) {
        for action in interaction.handle(event, now: Self.now) {
            switch action {
            case .seek(let seek): onRequest?(.seek(seek))
            case .beginScrubbing: onRequest?(.scrubbing(true))
            case .endScrubbing: onRequest?(.scrubbing(false))
            case .redraw: canvas.queueDraw()
            case .startTicks: startTicks()
            case .stopTicks: frames.ticks = false
            }
        }
        showValue()
    }

    private func startTicks() {
        guard !frames.ticks else { return }
        frames.ticks = true
        canvas.addTick { [weak self] in
            guard let self, self.frames.ticks else { return false }
            self.handle(.tick)
            return self.frames.ticks
        }
    }

    /// The position to show, in seconds.
    var position: Double { interaction.position }

    /// Shows the position that the player reports.
    func setPosition(_ time: Double) {
        if interaction.setPosition(time) { canvas.queueDraw() }
        showValue()
    }

    /// Redraws after a change of the theme's colors.
    func redraw() { canvas.queueDraw() }

    /// Sets the known extent of the recording.
    func setExtent(_ extent: WaveformViewport.Extent) {
        interaction.viewport.setExtent(extent)
        valueChanges?.blocked { adjustment.set("upper", .double(max(interaction.viewport.lastTime, 0.001))) }
        spokenSecond = -1
        showValue()
        canvas.queueDraw()
    }

    /// Draws newly analyzed frames of the waveform.
    /// - Parameters:
    ///   - frames: The frames.
    ///   - peak: Their sample peak, 0…1.
    func grew(_ frames: Range<Int64>, peak: Float) {
        bars.grew(frames, peak: peak)
        if let seconds = source()?.seconds(of: frames) { spectrogram.arrived(seconds, now: Self.now) }
        canvas.queueDraw()
    }

    /// Draws the complete waveform, scaled to its full height.
    func complete() {
        bars.complete()
        spectrogram.arrivedWhole()
        canvas.queueDraw()
    }

    /// Shows another recording.
    func reset(_ extent: WaveformViewport.Extent) {
        bars.reset()
        spectrogram.reset()
        places = Places()
        handle(.itemChanged(extent))
        setExtent(extent)
    }

    /// Shows a part of the recording.
    /// - Parameter visible: Seconds.
    func show(_ visible: ClosedRange<Double>) {
        if canvas.width >= 1 { interaction.viewport.setWidth(canvas.width) }
        interaction.viewport.show(from: visible.lowerBound, to: visible.upperBound)
        canvas.queueDraw()
    }

    /// Calls `action` before each frame until it returns false.
    func addTick(_ action: @escaping @MainActor () -> Bool) { canvas.addTick(action) }

    /// Reports the position to assistive technologies, once per second.
    private func showValue() {
        let position = position
        // Bounded: positions are within a billion seconds.
        let second = Int(position)
        guard second != spokenSecond else { return }
        spokenSecond = second
        valueChanges?.blocked { adjustment.set("value", .double(position)) }
        let total = interaction.viewport.lastTime
        scale.setAccessibleValueText(TimeText.spoken(position, of: total > 0 ? total : nil))
    }

    // MARK: Drawing

    private func draw(_ drawing: Drawing) {
        let (width, height) = (canvas.width, canvas.height)
        guard width >= 1, height >= 1 else { return }
        if interaction.viewport.width != width { interaction.viewport.setWidth(width) }
        let viewport = interaction.viewport
        let text = canvas.textColor
        let accent = canvas.color("accent_color") ?? text
        let now = Self.now
        let loader = source()
        for span in showsSpectrogram ? [] : WaveformMarks.spans(places.pauses, in: viewport) {
            drawing.fill(x: span.from, y: 0, width: span.to - span.from, height: height, text.faded(0.07))
        }
        if showsSpectrogram {
            drawSpectrogram(drawing, viewport, width, height, text)
        } else {
            bars.draw(
                drawing,
                loader?.levels,
                sampleRate: loader?.sampleRate ?? 48_000,
                viewport,
                height: height,
                scale: canvas.scaleFactor,
                playhead: position,
                style: WaveformStyle(
                    accent: Color(accent),
                    foreground: Color(text),
                    background: background ?? Color(canvas.color("window_bg_color") ?? Self.paper),
                    shape: .bars(forWidth: width)
                ),
                elapsed: min(now - (frames.drawnAt ?? now), 0.1)
            )
        }
        frames.drawnAt = now
        if !frames.hasTraced, source()?.hasBegun == true {
            frames.hasTraced = true
            StartTrace.mark("drawn")
        }
        if showsSpectrogram ? !spectrogram.isFinal : !bars.isFinal { redrawSoon() }
        let starts = places.chapterStarts
        for start in WaveformMarks.marks(starts, in: viewport) where starts[start.index] > 0 {
            let x = start.x.rounded()
            drawing.fill(x: x, y: 0, width: 1, height: 8, text.faded(0.6))
            drawing.fill(x: x, y: height - 8, width: 1, height: 8, text.faded(0.6))
        }
        for mark in WaveformMarks.marks(places.bookmarks, in: viewport) {
            let x = mark.x.rounded()
            drawing.fill(x: x, y: 0, width: 1, height: height, accent.faded(0.5))
            drawing.fill(x: x - 2, y: 0, width: 5, height: 7, radius: 1, accent)
        }
        let head = viewport.pixel(at: position)
        onDraw?(position)
        if interaction.isSeekable, head >= -2, head <= width + 2 {
            if showsSpectrogram { drawing.fill(x: head - 2, y: 0, width: 4, height: height, Self.paper.faded(0.6)) }
            drawing.fill(x: head - 1, y: 0, width: 2, height: height, radius: 1, text)
        }
        if showsSpectrogram { drawFrequencies(drawing, height, text) }
        drawHover(drawing, viewport, width, height, text)
        if scale.showsFocus {
            drawing.frame(x: 0, y: 0, width: width, height: height, radius: 6, thickness: 2, accent.faded(0.5))
        }
    }

    /// Draws again in the next frame: a drawing cannot ask for one itself.
    private func redrawSoon() {
        guard !frames.isRedrawing else { return }
        frames.isRedrawing = true
        canvas.addTick { [weak self] in
            guard let self else { return false }
            self.frames.isRedrawing = false
            self.canvas.queueDraw()
            return false
        }
    }

    private func drawHover(
        _ drawing: Drawing,
        _ viewport: WaveformViewport,
        _ width: Double,
        _ height: Double,
        _ text: RGBA
    ) {
        guard let pointer = interaction.pointer, let time = interaction.hoverTime else { return }
        let x = interaction.isScrubbing ? viewport.pixel(at: time) : pointer
        let label = TimeText.precise(time, of: viewport.lastTime, secondsPerPixel: viewport.secondsPerPixel)
        let size = drawing.size(of: label, scale: 0.85)
        let boxWidth = size.width + 12
        let left = min(max(x - boxWidth / 2, 0), max(width - boxWidth, 0)).rounded()
        drawing.fill(x: x.rounded(), y: 0, width: 1, height: height, text.faded(0.4))
        let dark = Style.isDark
        drawing.fill(
            x: left,
            y: 0,
            width: boxWidth,
            height: size.height + 4,
            radius: (size.height + 4) / 2,
            dark ? RGBA(0.93, 0.93, 0.93) : RGBA(0.15, 0.15, 0.15)
        )
        drawing.text(label, x: left + 6, y: 2, scale: 0.85, dark ? RGBA(0.1, 0.1, 0.1) : RGBA(1, 1, 1))
    }
}
