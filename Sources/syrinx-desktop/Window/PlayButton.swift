import Foundation
import SyrinxDesktopModel
import SyrinxGTK

/// The sign of the button that plays and pauses: with a level meter between the bars of the sign for pausing.
@MainActor
final class PlayButton {
    private let signs: Widget
    private let canvas = Canvas.make(width: Int(PlayButton.size), height: Int(PlayButton.size))
    private var meter = VUMeter()
    private var lastTick: Double?
    private static let size = 28.0

    /// Puts the sign into the button.
    init(signs: Widget, box: Widget) {
        self.signs = signs
        box.append(canvas)
        canvas.onDraw { [weak self] in self?.draw($0) }
    }

    /// Shows the sign for pausing, or the one for playing.
    func show(isPause: Bool) {
        signs.set("visible-child-name", .string(isPause ? "pause" : "play"))
        if !isPause { meter.reset() }
    }

    /// Moves the meter on.
    /// - Parameter rootMeanSquare: The level, 0…1.
    /// - Returns: Whether it moves on.
    @discardableResult
    func tick(_ rootMeanSquare: Double) -> Bool {
        let now = ProcessInfo.processInfo.systemUptime
        meter.setRMS(rootMeanSquare)
        if meter.advance(by: lastTick.map { min(now - $0, 0.1) } ?? 0) { canvas.queueDraw() }
        lastTick = now
        return !meter.isStill
    }

    private func draw(_ drawing: Drawing) {
        let shape = PauseMeterShape(size: Self.size)
        let color = canvas.textColor
        fill(drawing, shape.leftBar, color)
        fill(drawing, shape.rightBar, color)
        fill(drawing, shape.track, color.faded(0.25))
        fill(drawing, shape.fill(level: meter.level), color)
        if let peak = shape.line(peak: meter.peak) { fill(drawing, peak, color) }
    }

    private func fill(_ drawing: Drawing, _ box: Rectangle, _ color: RGBA) {
        drawing.fill(x: box.x, y: box.y, width: box.width, height: box.height, radius: 1, color)
    }
}
