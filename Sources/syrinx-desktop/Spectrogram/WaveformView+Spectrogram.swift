import SyrinxDesktopModel
import SyrinxGTK

extension WaveformView {
    /// The background color of the text.
    static var paper: RGBA { Style.isDark ? RGBA(0, 0, 0) : RGBA(1, 1, 1) }

    /// Adds a computed tile of the spectrogram.
    func take(_ columns: SpectrogramTiles.Columns, for key: SpectrogramTiles.Key, isWhole: Bool) {
        spectrogram.insert(columns, for: key, isWhole: isWhole)
        if showsSpectrogram { canvas.queueDraw() }
    }

    /// Draws the spectrogram, and has the tiles computed that it lacks.
    func drawSpectrogram(
        _ drawing: Drawing,
        _ viewport: WaveformViewport,
        _ width: Double,
        _ height: Double,
        _ text: RGBA
    ) {
        // Missing columns are not drawn as silence.
        drawing.fill(x: 0, y: 0, width: width, height: height, radius: 6, text.faded(0.06))
        let wanted = spectrogram.draw(
            drawing,
            viewport,
            width: width,
            height: height,
            scale: canvas.scaleFactor,
            isDark: Style.isDark
        )
        if !wanted.isEmpty { spectrogramSource()?.want(wanted) }
    }

    /// Draws the names of frequencies, over the line of the position.
    func drawFrequencies(_ drawing: Drawing, _ height: Double, _ text: RGBA) {
        for label in spectrogramSource()?.scale?.labels(height: height) ?? [] {
            let size = drawing.size(of: label.text, scale: 0.7)
            let y = (height * (1 - label.place)).rounded()
            drawing.fill(x: 0, y: y, width: 4, height: 1, text.faded(0.8))
            let top = y - size.height / 2
            let box = size.width + 6
            drawing.fill(x: 6, y: top, width: box, height: size.height, radius: 3, Self.paper.faded(0.85))
            drawing.text(label.text, x: 9, y: top, scale: 0.7, text)
        }
    }
}
