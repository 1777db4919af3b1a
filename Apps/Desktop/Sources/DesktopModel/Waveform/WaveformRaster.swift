/// The tiles of which a waveform is composed: drawn once for a zoom, a height and a look, then only moved.
///
/// It draws pixels and hands them out. The view keeps them as textures by their numbers and places them; this cache counts
/// their bytes, keeps the ones used of late and says which to drop. Positions are device pixels.
public struct WaveformRaster: Sendable {
    /// A tile that was drawn.
    public struct Tile: Sendable, Equatable {
        /// The number of the tile, which is never used again.
        public var id: Int
        /// Its width in device pixels.
        public var width: Int
        /// Its height in device pixels.
        public var height: Int
        /// Premultiplied pixels `0xAARRGGBB` from the top row on, without padding.
        public var pixels: [UInt32]
    }

    /// The place of a tile, or of a part of one, in the view.
    public struct Placement: Sendable, Equatable {
        /// The number of the tile.
        public var id: Int
        /// The device pixel of its left edge, negative where it begins before the view.
        public var x: Int
        /// The first column of the tile to show.
        public var from: Int
        /// The column behind the last one to show.
        public var to: Int
        /// The factor by which it is stretched around the middle until it is drawn anew; mostly 1.
        public var verticalScale: Float
    }

    /// The content of a view.
    public struct Frame: Sendable, Equatable {
        /// The tiles that are new.
        public var made: [Tile] = []
        /// The places of all tiles, from left to right.
        public var placed: [Placement] = []
        /// The numbers of tiles that are no longer needed; none of them is placed.
        public var dropped: [Int] = []
        /// Whether tiles that are out of date wait to be drawn, so that a further frame is wanted.
        public var isFinal = true
    }

    private struct Key: Hashable, Sendable {
        /// The seconds of a device pixel.
        var zoom: Double
        var height: Int
        var scale: Int
        var style: WaveformStyle
        var isPlayed: Bool
        /// The number of the tile from the start of the recording on.
        var index: Int
    }

    private struct Entry: Sendable {
        var id: Int
        var bytes: Int
        var lastUse: Int
        var gain: Float
        var frames: Range<Int64>
        /// The columns before the end of the recording.
        var end: Int
        var isStale = false
    }

    /// Device pixels of the widest tile; that of bars is the greatest multiple of their distance below.
    public static let maximumTileWidth = 256
    /// Device pixels of the highest tile.
    public static let maximumHeight = 4096

    /// The bytes that tiles out of view may take up.
    public let byteLimit: Int
    /// Tiles that are out of date and drawn anew in one frame, at most; those that are missing are all drawn.
    public let maximumRedraws: Int
    /// The bytes of all tiles that have been handed out and not dropped.
    public private(set) var byteCount = 0
    private var entries: [Key: Entry] = [:]
    private var dropped: [Int] = []
    private var nextID = 0
    private var use = 0

    /// Creates an empty cache.
    /// - Parameters:
    ///   - byteLimit: The bytes that tiles may take up, besides those of the view that is drawn; 24 MiB by default.
    ///   - maximumRedraws: Tiles that are out of date and drawn anew in one frame, at most; 4 by default.
    public init(byteLimit: Int = 24 << 20, maximumRedraws: Int = 4) {
        self.byteLimit = max(byteLimit, 0)
        self.maximumRedraws = max(maximumRedraws, 1)
    }

    /// The number of tiles that have been handed out and not dropped.
    public var tileCount: Int { entries.count }

    /// Drops all tiles: another recording is shown.
    public mutating func removeAll() {
        dropped += entries.values.map(\.id)
        entries = [:]
        byteCount = 0
    }

    /// Notes that frames have arrived or changed: tiles that show them are drawn anew, and stay as they are until then.
    /// - Parameter frames: The frames; the last block of a waveform is often wider than what arrived, and counts whole.
    public mutating func invalidate(_ frames: Range<Int64>) {
        guard !frames.isEmpty else { return }
        for (key, entry) in entries where !entry.isStale && entry.frames.overlaps(frames) {
            entries[key]?.isStale = true
        }
    }

    /// Returns the tiles of a view.
    /// - Parameters:
    ///   - viewport: The part of the recording; its pixels are those before scaling.
    ///   - height: The height of the view in pixels before scaling; 1 … 4096.
    ///   - scale: Device pixels of a pixel, 1 … 8.
    ///   - playhead: The position up to which the colours are those of what has been played; `nil` for none.
    ///   - style: The look.
    ///   - gain: The factor of all samples: new tiles are drawn for its target, and all are stretched to what it shows.
    ///   - source: The waveform.
    /// - Returns: The tiles to make, to place and to drop.
    public mutating func frame(
        viewport: WaveformViewport,
        height: Int,
        scale: Int,
        playhead: Double?,
        style: WaveformStyle,
        gain: WaveformGain,
        source: WaveformSource
    ) -> Frame {
        use += 1
        var frame = Frame()
        let layout = Layout(viewport, height: height, scale: scale, style: style, sampleRate: source.sampleRate)
        let split = playhead.map { layout.column(at: $0) } ?? 0
        var redraws = maximumRedraws
        for index in layout.tiles {
            let x = index * layout.tileWidth - layout.origin
            let boundary = (split - x).clamped(to: 0...layout.tileWidth)
            for (isPlayed, from, to) in [(true, 0, boundary), (false, boundary, layout.tileWidth)] where from < to {
                // A side that lies outside of the view is not drawn.
                guard x + from < layout.width, x + to > 0 else { continue }
                let key = Key(
                    zoom: layout.secondsPerColumn,
                    height: layout.height,
                    scale: layout.scale,
                    style: style,
                    isPlayed: isPlayed,
                    index: index
                )
                let entry = entry(key, layout, gain.target, source, &redraws, &frame)
                frame.placed.append(
                    Placement(id: entry.id, x: x, from: from, to: to, verticalScale: gain.shown / entry.gain)
                )
            }
        }
        shrink()
        frame.dropped = dropped
        dropped = []
        return frame
    }

    /// Returns the tile of a key; it is drawn if it is missing, or if it is out of date and the frame has time for it.
    private mutating func entry(
        _ key: Key,
        _ layout: Layout,
        _ gain: Float,
        _ source: WaveformSource,
        _ redraws: inout Int,
        _ frame: inout Frame
    ) -> Entry {
        let end = (layout.endColumn - key.index * layout.tileWidth).clamped(to: 0...layout.tileWidth)
        if var found = entries[key] {
            found.lastUse = use
            entries[key] = found
            guard found.isStale || found.gain != gain || found.end != end else { return found }
            guard redraws > 0 else {
                frame.isFinal = false
                return found
            }
            redraws -= 1
            dropped.append(found.id)
            byteCount -= found.bytes
        }
        let palette = key.isPlayed ? key.style.played : key.style.unplayed
        let painter = WaveformTilePainter(
            shape: key.style.shape,
            palette: palette,
            width: layout.tileWidth,
            height: key.height,
            scale: key.scale,
            gain: gain
        )
        let frames = layout.frames(ofTile: key.index)
        let count = layout.tileWidth / painter.pitch
        let bins = end > 0 ? source.columns(frames, count) : []
        let pixels = painter.pixels(bins, end: (end + painter.pitch - 1) / painter.pitch)
        nextID += 1
        frame.made.append(Tile(id: nextID, width: layout.tileWidth, height: key.height, pixels: pixels))
        let entry = Entry(id: nextID, bytes: pixels.count * 4, lastUse: use, gain: gain, frames: frames, end: end)
        entries[key] = entry
        byteCount += entry.bytes
        return entry
    }

    /// Drops the tiles that were used the longest ago, until the others fit; those of this frame stay.
    private mutating func shrink() {
        guard byteCount > byteLimit else { return }
        // Some more, so that not every frame looks for the oldest.
        let goal = byteLimit - byteLimit / 8
        for (key, entry) in entries.filter({ $0.value.lastUse < use }).sorted(by: {
            $0.value.lastUse < $1.value.lastUse
        }) {
            guard byteCount > goal else { return }
            entries[key] = nil
            byteCount -= entry.bytes
            dropped.append(entry.id)
        }
    }

    /// The tiles of a viewport.
    private struct Layout {
        let height: Int
        let scale: Int
        let width: Int
        let tileWidth: Int
        let secondsPerColumn: Double
        let sampleRate: Double
        /// The column of the recording at the left edge.
        let origin: Int
        /// The column behind the last one of the recording.
        let endColumn: Int

        init(_ viewport: WaveformViewport, height: Int, scale: Int, style: WaveformStyle, sampleRate: Double) {
            self.scale = scale.clamped(to: 1...8)
            self.height = (height.clamped(to: 1...maximumHeight) * self.scale).clamped(to: 1...maximumHeight)
            width = Int(nearest: viewport.width * Double(self.scale)).clamped(to: 1...65_536)
            let pitch = WaveformTilePainter.sizes(of: style.shape, scale: self.scale).pitch
            tileWidth = max(maximumTileWidth / pitch, 1) * pitch
            secondsPerColumn = viewport.secondsPerPixel / Double(self.scale)
            self.sampleRate = sampleRate.isFinite && sampleRate > 0 ? min(sampleRate, 1e7) : 48_000
            origin = Int(nearest: viewport.start / secondsPerColumn)
            endColumn = Int(nearest: (viewport.lastTime / secondsPerColumn).rounded(.up))
        }

        /// The numbers of the tiles that the view shows.
        var tiles: ClosedRange<Int> {
            // Bounded: a billion seconds have 10^15 columns.
            origin / tileWidth...(origin + width - 1) / tileWidth
        }

        /// The column of the view at a time.
        func column(at time: Double) -> Int { Int(nearest: time / secondsPerColumn) - origin }

        /// The frames that a tile covers.
        func frames(ofTile index: Int) -> Range<Int64> {
            let framesPerColumn = secondsPerColumn * sampleRate
            let start = Int(nearest: Double(index * tileWidth) * framesPerColumn)
            let end = Int(nearest: Double((index + 1) * tileWidth) * framesPerColumn)
            return Int64(start)..<Int64(max(end, start + 1))
        }
    }
}
