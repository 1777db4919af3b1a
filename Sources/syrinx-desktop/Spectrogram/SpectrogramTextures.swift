import SyrinxDesktopModel
import SyrinxGTK

/// The textures of a spectrogram's tiles, which are made once and then only moved.
@MainActor
struct SpectrogramTextures {
    /// The rows of a tile, which are stretched to the height of the view.
    static let rowCount = 192

    private var tiles = SpectrogramTiles(rowCount: Self.rowCount)
    private var textures: [Int: Texture] = [:]
    private var colors = SpectrogramColors(isDark: false)
    private var isDark = false
    private var arrivedAt = 0.0
    private var waiting: ClosedRange<Double>?

    /// Seconds between two looks at tiles that lacked something.
    private static let interval = 2.0

    /// Whether all that has been computed is drawn.
    private(set) var isFinal = true

    /// Forgets the spectrogram: another recording is shown.
    mutating func reset() {
        tiles.removeAll()
        waiting = nil
    }

    /// Adds a computed tile.
    mutating func insert(_ columns: SpectrogramTiles.Columns, for key: SpectrogramTiles.Key, isWhole: Bool) {
        tiles.insert(columns, for: key, isWhole: isWhole)
    }

    /// Notes that a part of the recording has arrived.
    mutating func arrived(_ seconds: ClosedRange<Double>, now: Double) {
        waiting =
            waiting.map {
                min($0.lowerBound, seconds.lowerBound)...max($0.upperBound, seconds.upperBound)
            } ?? seconds
        guard now - arrivedAt >= Self.interval, let part = waiting else { return }
        arrivedAt = now
        waiting = nil
        tiles.arrived(part)
    }

    /// Notes that all of the recording has arrived.
    mutating func arrivedWhole() {
        waiting = nil
        tiles.arrived(0...WaveformViewport.maximumLength)
    }

    /// Draws the spectrogram.
    /// - Returns: The tiles to compute.
    mutating func draw(
        _ drawing: Drawing,
        _ viewport: WaveformViewport,
        width: Double,
        height: Double,
        scale: Int,
        isDark: Bool
    ) -> [SpectrogramTiles.Key] {
        if isDark != self.isDark {
            self.isDark = isDark
            colors = SpectrogramColors(isDark: isDark)
        }
        let frame = tiles.frame(viewport: viewport, scale: scale, colors: colors)
        for id in frame.dropped { textures[id] = nil }
        for picture in frame.painted {
            textures[picture.id] = Texture.make(
                width: SpectrogramTiles.columnCount,
                height: Self.rowCount,
                pixels: picture.pixels
            )
        }
        // The last tile reaches beyond the end of the recording.
        let end = min(viewport.pixel(at: viewport.lastTime), width)
        if end > 0 {
            drawing.clipped(x: 0, y: 0, width: end, height: height, radius: 6) {
                for placement in frame.placed {
                    guard let texture = textures[placement.id] else { continue }
                    drawing.draw(texture, x: placement.x, y: 0, width: placement.width, height: height)
                }
            }
        }
        isFinal = frame.isFinal
        return frame.wanted
    }
}
