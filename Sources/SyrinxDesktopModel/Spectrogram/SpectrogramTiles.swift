import Foundation

/// The tiles of which a spectrogram is composed: computed elsewhere for the visible part, painted once, then only moved.
///
/// A tile has a fixed number of columns, of a power of two of seconds each, so that it serves zooms up to twice as fine. The
/// cache keeps a bounded number of tiles, those used of late, and says which are wanted.
public struct SpectrogramTiles: Sendable {
    /// A part of the recording at one resolution.
    public struct Key: Sendable, Hashable {
        /// The power of two of the seconds of a column.
        public var zoom: Int
        /// The number of the tile from the start of the recording.
        public var index: Int

        /// Creates a key.
        /// - Parameters:
        ///   - zoom: The power of two of the seconds of a column.
        ///   - index: The number of the tile.
        public init(zoom: Int, index: Int) { (self.zoom, self.index) = (zoom, index) }

        /// The seconds of a column.
        public var secondsPerColumn: Double { exp2(Double(zoom)) }
        /// The time at the left edge in seconds.
        public var start: Double { Double(index) * Double(columnCount) * secondsPerColumn }
        /// The time at the right edge in seconds.
        public var end: Double { Double(index + 1) * Double(columnCount) * secondsPerColumn }
    }

    /// The levels of a tile: for each column all rows from the bottom up, 0…255; `nil` for a column that has not arrived.
    public typealias Columns = [[UInt8]?]

    /// A picture to put into the view.
    public struct Placement: Sendable, Equatable {
        /// The number of the tile, never used again.
        public var id: Int
        /// The left edge in pixels of the view.
        public var x: Double
        /// The width in pixels of the view.
        public var width: Double
    }

    /// A tile that has been painted.
    public struct Picture: Sendable, Equatable {
        /// The number of the tile.
        public var id: Int
        /// The pixels, premultiplied, from the top row on.
        public var pixels: [UInt32]
    }

    /// The result of composing a view.
    public struct Frame: Sendable, Equatable {
        /// The tiles that have been painted for it.
        public var painted: [Picture] = []
        /// The tiles to draw.
        public var placed: [Placement] = []
        /// The tiles that are not used any more.
        public var dropped: [Int] = []
        /// The tiles to compute, the most urgent first.
        public var wanted: [Key] = []
        /// Whether all that has been computed is painted.
        public var isFinal = true
    }

    private struct Entry: Sendable {
        var columns: Columns
        var id: Int?
        var isWhole: Bool
        var isStale = false
        var lastUse: Int
    }

    /// The columns of a tile.
    public static let columnCount = 256
    /// The finest zoom: columns of an eighth of a thousandth of a second.
    private static let zooms = -13...12

    /// The rows of a tile.
    public let rowCount: Int
    /// The tiles that are kept.
    public let tileLimit: Int
    /// The tiles that are painted in one frame, at most.
    public let maximumPaints: Int
    private var entries: [Key: Entry] = [:]
    private var dropped: [Int] = []
    private var nextID = 0
    private var use = 0
    private var colors: SpectrogramColors?

    /// Creates an empty cache.
    /// - Parameters:
    ///   - rowCount: The rows of a tile.
    ///   - tileLimit: The tiles that are kept, those of the view always; 128 by default, which take 31 MB with their textures.
    ///   - maximumPaints: The tiles that are painted in one frame, at most; 4 by default.
    public init(rowCount: Int, tileLimit: Int = 128, maximumPaints: Int = 4) {
        self.rowCount = rowCount.clamped(to: 1...4096)
        self.tileLimit = max(tileLimit, 0)
        self.maximumPaints = max(maximumPaints, 1)
    }

    /// The number of tiles that are kept.
    public var tileCount: Int { entries.count }

    /// Forgets all tiles: another recording is shown.
    public mutating func removeAll() {
        dropped += entries.values.compactMap(\.id)
        entries = [:]
    }

    /// Notes that a part of the recording has arrived: tiles that lacked some of it are wanted again.
    /// - Parameter seconds: The part.
    public mutating func arrived(_ seconds: ClosedRange<Double>) {
        for (key, entry) in entries
        where !entry.isWhole && key.start < seconds.upperBound && key.end > seconds.lowerBound {
            entries[key]?.isStale = true
        }
    }

    /// Takes the columns of a tile.
    /// - Parameters:
    ///   - columns: The columns from the left; missing ones have not arrived.
    ///   - key: The tile.
    ///   - isWhole: Whether nothing more can come.
    public mutating func insert(_ columns: Columns, for key: Key, isWhole: Bool) {
        if let id = entries[key]?.id { dropped.append(id) }
        entries[key] = Entry(columns: columns, id: nil, isWhole: isWhole, lastUse: use)
    }

    /// Returns the zoom at which a view is drawn: a column is a pixel or half of one.
    /// - Parameters:
    ///   - viewport: The view.
    ///   - scale: Device pixels of a pixel.
    public static func zoom(of viewport: WaveformViewport, scale: Int) -> Int {
        let perPixel = viewport.secondsPerPixel / Double(scale.clamped(to: 1...8))
        return Int(floor: log2(max(perPixel, 1e-9))).clamped(to: zooms.lowerBound...zooms.upperBound)
    }

    /// Returns the tiles of a view, with what is to be painted, computed and dropped.
    /// - Parameters:
    ///   - viewport: The view.
    ///   - scale: Device pixels of a pixel, 1 … 8.
    ///   - colors: The colours of levels; with others than before all tiles are painted anew.
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
        // A view of 65 536 pixels has fewer.
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
            // Whole device pixels, so that no seam shows between tiles.
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

    /// Drops the tiles that were used the longest ago; those of this frame stay.
    private mutating func shrink() {
        guard entries.count > tileLimit else { return }
        let old = entries.filter { $0.value.lastUse < use }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (key, entry) in old.prefix(entries.count - tileLimit) {
            entries[key] = nil
            dropped += [entry.id].compactMap(\.self)
        }
    }
}
