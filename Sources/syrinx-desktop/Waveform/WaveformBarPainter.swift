import SyrinxDesktopModel
import SyrinxGTK

/// Draws the bars of a waveform as plain rectangles, of which GTK draws again only those that have changed.
///
/// Textures would be converted or copied whole for each zoom.
@MainActor
struct WaveformBarPainter {
    private var bars = WaveformBars()
    private var gain = WaveformGain()

    /// Whether no further frame is wanted.
    private(set) var isFinal = true

    /// Forgets the waveform: another recording is shown.
    mutating func reset() {
        bars.removeAll()
        gain = WaveformGain()
    }

    /// Notes that frames of the waveform have become known.
    /// - Parameters:
    ///   - frames: The frames.
    ///   - peak: The greatest magnitude among them, 0…1.
    mutating func grew(_ frames: Range<Int64>, peak: Float) {
        bars.invalidate(frames)
        _ = gain.observe(peak: peak)
    }

    /// Notes that all of the waveform is known.
    mutating func complete() { _ = gain.complete() }

    /// Draws the waveform.
    mutating func draw(
        _ drawing: Drawing,
        _ levels: WaveformLevels?,
        sampleRate: Double,
        _ viewport: WaveformViewport,
        height: Double,
        scale: Int,
        playhead: Double,
        style: WaveformStyle,
        elapsed: Double
    ) {
        _ = gain.advance(by: elapsed)
        let rectangles = bars.rectangles(
            viewport: viewport,
            height: height,
            scale: scale,
            playhead: playhead,
            shape: style.shape,
            gain: gain.shown,
            source: WaveformSource(sampleRate: sampleRate) { frames, count in levels?.columns(frames, count) ?? [] }
        )
        let (played, unplayed) = (Colors(style.played), Colors(style.unplayed))
        for rectangle in rectangles {
            drawing.fill(
                x: rectangle.x,
                y: rectangle.y,
                width: rectangle.width,
                height: rectangle.height,
                (rectangle.isPlayed ? played : unplayed).color(of: rectangle.part)
            )
        }
        isFinal = gain.isStill
    }

    private struct Colors {
        let peak: RGBA
        let loudness: RGBA
        let missing: RGBA

        init(_ palette: WaveformStyle.Palette) {
            peak = RGBA(palette.peak)
            loudness = RGBA(palette.rms)
            missing = RGBA(palette.missing)
        }

        func color(of part: WaveformBars.Part) -> RGBA {
            switch part {
            case .peak: peak
            case .loudness: loudness
            case .missing: missing
            }
        }
    }
}

extension RGBA {
    fileprivate init(_ color: Color) {
        self.init(Float(color.red) / 255, Float(color.green) / 255, Float(color.blue) / 255, Float(color.alpha) / 255)
    }
}
