import DesktopModel
import GTK

/// The textures of a waveform's tiles, which are made once and then only moved.
@MainActor
struct WaveformTextures {
    private var raster = WaveformRaster()
    private var gain = WaveformGain()
    private var textures: [Int: (texture: Texture, width: Int, height: Int)] = [:]

    /// Whether a further frame is wanted.
    private(set) var isFinal = true

    /// Forgets the waveform: another recording is shown.
    mutating func reset() {
        raster.removeAll()
        gain = WaveformGain()
    }

    /// Notes that frames of the waveform have become known.
    /// - Parameters:
    ///   - frames: The frames.
    ///   - peak: The greatest magnitude among them, 0…1.
    mutating func grew(_ frames: Range<Int64>, peak: Float) {
        raster.invalidate(frames)
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
        style: DesktopModel.WaveformStyle,
        elapsed: Double
    ) {
        _ = gain.advance(by: elapsed)
        let source = WaveformSource(sampleRate: sampleRate) { frames, count in levels?.columns(frames, count) ?? [] }
        let frame = raster.frame(
            viewport: viewport,
            // Bounded: the height of a window.
            height: Int(min(height, 4096)),
            scale: scale,
            playhead: playhead,
            style: style,
            gain: gain,
            source: source
        )
        for id in frame.dropped { textures[id] = nil }
        for tile in frame.made {
            guard let texture = Texture.make(width: tile.width, height: tile.height, pixels: tile.pixels) else {
                continue
            }
            textures[tile.id] = (texture, tile.width, tile.height)
        }
        let unit = 1 / Double(scale)
        for placement in frame.placed {
            guard let (texture, width, tileHeight) = textures[placement.id] else { continue }
            let stretched = Double(tileHeight) * unit * Double(placement.verticalScale)
            drawing.clipped(
                x: Double(placement.x + placement.from) * unit,
                y: 0,
                width: Double(placement.to - placement.from) * unit,
                height: height
            ) {
                drawing.draw(
                    texture,
                    x: Double(placement.x) * unit,
                    y: (height - stretched) / 2,
                    width: Double(width) * unit,
                    height: stretched
                )
            }
        }
        isFinal = frame.isFinal && gain.isStill
    }
}
