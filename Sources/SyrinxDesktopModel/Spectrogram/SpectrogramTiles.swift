import Foundation

/// A cache of the tiles of a spectrogram, which are computed elsewhere, painted once, and then only moved.
///
/// A tile has a fixed number of columns, each of which lasts a power of two of seconds. So a tile can be used at zooms
/// up to twice as fine. The cache keeps a limited number of recently used tiles, and reports which tiles must be
/// computed.
public struct SpectrogramTiles: Sendable {
    /// Identifies a part of the recording at one resolution.
    public struct Key: Sendable, Hashable {
        /// The duration of a column, as a power of two of seconds.
        public var zoom: Int
        /// The number of the tile, counted from the start of the recording.
        public var index: Int

        /// Creates a key.
        /// - Parameters:
        ///   - zoom: The duration of a column, as a power of two of seconds.
        ///   - index: The number of the tile.
        public init(zoom: Int, index: Int) { (self.zoom, self.index) = (zoom, index) }

        /// The duration of a column, in seconds.
        public var secondsPerColumn: Double { exp2(Double(zoom)) }
        /// The time at the left edge in seconds.
        public var start: Double { Double(index) * Double(columnCount) * secondsPerColumn }
        /// The time at the right edge in seconds.
        public var end: Double { Double(index + 1) * Double(columnCount) * secondsPerColumn }
    }

    /// The levels of a tile by columns, each with all rows from the bottom, 0…255; `nil` for a column that is not
    /// available.
    public typealias Columns = [[UInt8]?]

    /// The position of a tile in the view.
    public struct Placement: Sendable, Equatable {
        /// The identifier of the tile, which is never reused.
        public var id: Int
        /// The left edge, in pixels of the view.
        public var x: Double
        /// The width, in pixels of the view.
        public var width: Double
    }

    /// The pixels of a painted tile.
    public struct Picture: Sendable, Equatable {
        /// The identifier of the tile.
        public var id: Int
        /// The premultiplied pixels, from the top row.
        public var pixels: [UInt32]
    }

    /// The tiles for a frame of the view.
    public struct Frame: Sendable, Equatable {
        /// The tiles that were painted for this frame.
        public var painted: [Picture] = []
        /// The tiles to draw.
        public var placed: [Placement] = []
        /// The tiles that are no longer used.
        public var dropped: [Int] = []
        /// The tiles to compute, the most urgent first.
        public var wanted: [Key] = []
        /// Whether all computed tiles have been painted.
        public var isFinal = true
    }

    private struct Entry: Sendable {
        var columns: Columns
        var id: Int?
        var isWhole: Bool
        var isStale = false
        var lastUse: Int
    }

    /// The number of columns per tile.
    public static let columnCount = 256
    /// The range of zooms; the finest has columns of about 0.12 ms.
    private static let zooms = -13...12

    /// The number of rows per tile.
    public let rowCount: Int
    /// The maximum number of cached tiles.
    public let tileLimit: Int
    /// The maximum number of tiles painted per frame.
    public let maximumPaints: Int
    private var entries: [Key: Entry] = [:]
    private var dropped: [Int] = []
    private var nextID = 0
    private var use = 0
    private var colors: SpectrogramColors?

    /// Creates an empty cache.
    /// - Parameters:
    ///   - rowCount: The number of rows per tile.
    ///   - tileLimit: The maximum number of cached tiles (default: 128, which take 31 MB with their textures). Visible
    ///     tiles
    ///     are always kept.
    ///   - maximumPaints: The maximum number of tiles painted per frame (default: 4).
    public init(rowCount: Int, tileLimit: Int = 128, maximumPaints: Int = 4) {
        self.rowCount = rowCount.clamped(to: 1...4096)
        self.tileLimit = max(tileLimit, 0)
        self.maximumPaints = max(maximumPaints, 1)
    }

    /// The number of cached tiles.
    public var tileCount: Int { entries.count }

    /// Removes all tiles, before another recording is displayed.
    public mutating func removeAll() {
        dropped += entries.values.compactMap(\.id)
        entries = [:]
    }

    /// Called when a part of the recording becomes available; incomplete tiles are then requested again.
    /// - Parameter seconds: The part, in seconds.
    public mutating func arrived(_ seconds: ClosedRange<Double>) {
        for (key, entry) in entries
        where !entry.isWhole && key.start < seconds.upperBound && key.end > seconds.lowerBound {
            entries[key]?.isStale = true
        }
    }

    /// Adds the columns of a tile.
    /// - Parameters:
    ///   - columns: The columns from the left; missing ones are not available yet.
    ///   - key: The tile.
    ///   - isWhole: Whether the tile is complete.
    public mutating func insert(_ columns: Columns, for key: Key, isWhole: Bool) {
        if let id = entries[key]?.id { dropped.append(id) }
        entries[key] = Entry(columns: columns, id: nil, isWhole: isWhole, lastUse: use)
    }

    /// Returns the zoom for a view, at which a column is one pixel or half a pixel wide.
    /// - Parameters:
    ///   - viewport: The view.
    ///   - scale: The number of device pixels per pixel.
    public static func zoom(of viewport: WaveformViewport, scale: Int) -> Int {
        let perPixel = viewport.secondsPerPixel / Double(scale.clamped(to: 1...8))
        return Int(floor: log2(max(perPixel, 1e-9))).clamped(to: zooms.lowerBound...zooms.upperBound)
    }

    /// Returns the tiles of a view, and those to paint, compute and remove.
    /// - Parameters:
    ///   - viewport: The view.
    ///   - scale: The number of device pixels per pixel, 1…8.
    ///   - colors: The color map; if it has changed, all tiles are painted again.
    public mutating func frame(viewport: WaveformViewport, scale: Int, colors: SpectrogramColors) -> Frame {
        use += 1
        if colors != self.colors {
            self.colors = colors
            for (key, entry) in entries {
                dropped += [entry.id].compactMap(\.self)
                entries[key]?.id = nil
            }
        }
        var frame = Frame()
        let zoom = Self.zoom(of: viewport, scale: scale)
        let seconds = Double(Self.columnCount) * exp2(Double(zoom))
        let first = Int(floor: viewport.start / seconds)
        let end = min(viewport.start + viewport.length, viewport.lastTime)
        var paints = maximumPaints
        // A view of 65,536 pixels has fewer tiles.
        for index in first...max(first, min(Int(floor: end / seconds), first + 1024)) {
            let key = Key(zoom: zoom, index: index)
            guard var entry = entries[key] else {
                frame.wanted.append(key)
                continue
            }
            entry.lastUse = use
            if entry.isStale { frame.wanted.append(key) }
            if entry.id == nil, paints > 0 {
                paints -= 1
                nextID += 1
                entry.id = nextID
                frame.painted.append(Picture(id: nextID, pixels: paint(entry.columns, colors)))
            }
            entries[key] = entry
            guard let id = entry.id else {
                frame.isFinal = false
                continue
            }
            // Align to device pixels, so that there are no seams between tiles.
            let unit = Double(scale.clamped(to: 1...8))
            let x = (viewport.pixel(at: key.start) * unit).rounded() / unit
            let right = (viewport.pixel(at: key.end) * unit).rounded() / unit
            frame.placed.append(Placement(id: id, x: x, width: right - x))
        }
        shrink()
        frame.dropped = dropped
        dropped = []
        return frame
    }

    private func paint(_ columns: Columns, _ colors: SpectrogramColors) -> [UInt32] {
        let (width, rows) = (Self.columnCount, rowCount)
        var pixels = [UInt32](repeating: 0, count: width * rows)
        pixels.withUnsafeMutableBufferPointer { pixels in
            colors.pixels.withUnsafeBufferPointer { palette in
                for (x, column) in columns.prefix(width).enumerated() {
                    guard let column, column.count == rows else { continue }
                    for row in 0..<rows { pixels[(rows - 1 - row) * width + x] = palette[Int(column[row])] }
                }
            }
        }
        return pixels
    }

    /// Removes the least recently used tiles, except those of this frame.
    private mutating func shrink() {
        guard entries.count > tileLimit else { return }
        let old = entries.filter { $0.value.lastUse < use }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (key, entry) in old.prefix(entries.count - tileLimit) {
            entries[key] = nil
            dropped += [entry.id].compactMap(\.self)
        }
    }
}
