import SyrinxDesktopModel
import SyrinxGTK

/// The curve of the equalizer, with a handle to drag for each band.
@MainActor
final class EqualizerView {
    /// Receives the bands when one has been changed by hand.
    var onChange: (([EqualizerBand]) -> Void)?
    private var curve = EqualizerCurve(bands: [], width: 1, height: 1)
    private let canvas = Canvas.make(width: 280, height: 150)
    private var pressCount = 1
    private var pointer: (x: Double, y: Double)?

    /// Puts the view into a box.
    init(_ box: Widget) {
        canvas.onDraw { [weak self] in self?.draw($0) }
        canvas.set("hexpand", .bool(true))
        canvas.set("focusable", .bool(true))
        canvas.setAccessibleLabel("Equalizer curve")
        box.append(canvas)
        canvas.onPress(captures: true) { [weak self] count in
            self?.canvas.grabFocus()
            self?.pressCount = count
        }
        canvas.onDrag { [weak self] step in
            guard let self else { return }
            switch step {
            case .began(let x, let y): self.take(self.curve.press(x: x, y: y, clicks: self.pressCount))
            case .moved(let x, let y): self.take(self.curve.move(x: x, y: y))
            case .ended: self.curve.release()
            case .cancelled: self.take(self.curve.cancel())
            }
        }
        canvas.onHover { [weak self] in self?.pointer = $0 }
        canvas.onScroll { [weak self] _, dy, _ in
            guard let self else { return false }
            let place = self.pointer ?? (-1000, -1000)
            self.take(self.curve.turn(x: place.x, y: place.y, steps: dy))
            return true
        }
        canvas.onKey { [weak self] key, _, modifiers in self?.take(key, modifiers) ?? false }
    }

    /// The bands that are shown.
    var bands: [EqualizerBand] { curve.bands }

    /// Shows bands.
    func setBands(_ bands: [EqualizerBand]) {
        curve.setBands(bands)
        speak()
        canvas.queueDraw()
    }

    private func take(_ key: String, _ modifiers: Modifiers) -> Bool {
        guard modifiers.isDisjoint(with: [.control, .alt]) else { return false }
        switch key {
        case "Left": take(curve.step(right: -1, up: 0))
        case "Right": take(curve.step(right: 1, up: 0))
        case "Up": take(curve.step(right: 0, up: 1))
        case "Down": take(curve.step(right: 0, up: -1))
        case "Page_Up", "Page_Down":
            _ = curve.selectNext(forward: key == "Page_Down")
            take([.selected(curve.selected)])
        default: return false
        }
        return true
    }

    private func take(_ actions: [EqualizerCurve.Action]) {
        guard !actions.isEmpty else { return }
        let isChanged = actions.contains { if case .changed = $0 { true } else { false } }
        if isChanged { onChange?(curve.bands) }
        speak()
        canvas.queueDraw()
    }

    private func speak() {
        let text = curve.selected.map(curve.spoken)
        canvas.setAccessibleDescription(text ?? "Page Up and Page Down choose a band, arrow keys move it.")
    }

    private func draw(_ drawing: Drawing) {
        let (width, height) = (canvas.width, canvas.height)
        guard width >= 2, height >= 2 else { return }
        if curve.width != width || curve.height != height { curve.setSize(width: width, height: height) }
        let text = canvas.textColor
        let accent = canvas.color("accent_color") ?? text
        drawing.fill(x: 0, y: 0, width: width, height: height, radius: 8, text.faded(0.05))
        for (hertz, _) in EqualizerCurve.axis {
            drawing.fill(x: curve.x(of: hertz).rounded(), y: 0, width: 1, height: height, text.faded(0.1))
        }
        let labelHeight = drawing.size(of: "0", scale: 0.7).height
        for (x, label) in curve.labels({ drawing.size(of: $0, scale: 0.7).width }) {
            drawing.text(label, x: x, y: height - labelHeight - 1, scale: 0.7, text.faded(0.6))
        }
        for decibels in [-24.0, -12, 0, 12, 24] {
            let y = curve.y(of: decibels).rounded()
            drawing.fill(x: 0, y: y, width: width, height: 1, text.faded(decibels == 0 ? 0.3 : 0.1))
        }
        // Bounded: the width of a window.
        let count = Int(min(width, 4096))
        let points = curve.points(count)
        for index in 1..<count {
            let (low, high) = (min(points[index - 1], points[index]), max(points[index - 1], points[index]))
            let x = width * Double(index) / Double(count)
            drawing.fill(x: x - 1, y: low - 1, width: 1.5, height: high - low + 2, accent)
        }
        for band in curve.bands.indices {
            guard let place = curve.handle(of: band) else { continue }
            let radius = band == curve.selected ? 8.0 : 6.0
            drawing.fill(
                x: place.x - radius,
                y: place.y - radius,
                width: 2 * radius,
                height: 2 * radius,
                radius: radius,
                accent
            )
            drawing.fill(
                x: place.x - radius + 2,
                y: place.y - radius + 2,
                width: 2 * radius - 4,
                height: 2 * radius - 4,
                radius: radius - 2,
                Style.isDark ? RGBA(0.2, 0.2, 0.2) : RGBA(1, 1, 1)
            )
        }
        if let label = curve.selected.map(curve.spoken) {
            let needed = drawing.size(of: label, scale: 0.8).width
            drawing.text(label, x: 6, y: 3, scale: 0.8 * min((width - 12) / max(needed, 1), 1), text)
        }
        if canvas.showsFocus {
            drawing.frame(x: 0, y: 0, width: width, height: height, radius: 8, thickness: 2, accent.faded(0.5))
        }
    }
}
