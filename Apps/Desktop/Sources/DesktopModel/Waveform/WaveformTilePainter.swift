/// Draws columns of a waveform into the pixels of a tile.
struct WaveformTilePainter {
    /// The pixels of a tile.
    let width: Int
    let height: Int
    /// Device pixels of a pixel.
    let scale: Int
    /// Device pixels from one bar to the next, and of its ink.
    let pitch: Int
    let ink: Int
    let isSymmetric: Bool
    /// Pixels of the half height for a sample of 1.
    private let unit: Float
    private let peak: UInt32
    private let rms: UInt32
    private let missing: UInt32

    init(shape: WaveformStyle.Shape, palette: WaveformStyle.Palette, width: Int, height: Int, scale: Int, gain: Float) {
        (self.width, self.height, self.scale) = (width, height, scale)
        (pitch, ink, isSymmetric) = Self.sizes(of: shape, scale: scale)
        unit = Float(height) / 2 * gain
        (peak, rms, missing) = (palette.peak.premultiplied, palette.rms.premultiplied, palette.missing.premultiplied)
    }

    /// Returns the pixels from bar to bar and of a bar.
    static func sizes(of shape: WaveformStyle.Shape, scale: Int) -> (pitch: Int, ink: Int, isSymmetric: Bool) {
        switch shape {
        case .columns: return (1, 1, false)
        case .bars(let width, let gap):
            let (ink, blank) = (width.clamped(to: 1...32) * scale, gap.clamped(to: 0...32) * scale)
            return (ink + blank, ink, true)
        }
    }

    /// The rows of a column that are filled, from the first to the one behind the last, and the colour of its peak.
    private struct Columns {
        var top: [Int32]
        var bottom: [Int32]
        var loudTop: [Int32]
        var loudBottom: [Int32]
        var color: [UInt32]

        init(count: Int) {
            let none = [Int32](repeating: 0, count: count)
            (top, bottom, loudTop, loudBottom) = (none, none, none, none)
            color = [UInt32](repeating: 0, count: count)
        }
    }

    /// A pixel that a bar covers in part.
    private struct Edge {
        var column: Int
        var row: Int
        var coverage: Float
        var color: UInt32
    }

    /// Returns the pixels of the bars, from the top row on.
    /// - Parameters:
    ///   - bins: The bars from the left edge on.
    ///   - end: The bars before the end of the recording; those behind it are left empty.
    func pixels(_ bins: [WaveformBin], end: Int) -> [UInt32] {
        var columns = Columns(count: width)
        var edges: [Edge] = []
        edges.reserveCapacity(4 * (width / pitch + 1))
        for bar in 0..<max(min(end, width / pitch), 0) {
            lay(bar < bins.count ? bins[bar] : .unknown, at: bar * pitch, &columns, &edges)
        }
        let size = width * height
        return [UInt32](unsafeUninitializedCapacity: size) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            fill(base, columns)
            for edge in edges { mix(base + edge.column, row: edge.row, edge.coverage, edge.color) }
            count = size
        }
    }

    /// Writes all pixels as if no bar covered one in part, row by row.
    private func fill(_ base: UnsafeMutablePointer<UInt32>, _ columns: Columns) {
        columns.top.withUnsafeBufferPointer { top in
            columns.bottom.withUnsafeBufferPointer { bottom in
                columns.loudTop.withUnsafeBufferPointer { loudTop in
                    columns.loudBottom.withUnsafeBufferPointer { loudBottom in
                        columns.color.withUnsafeBufferPointer { color in
                            guard
                                let top = top.baseAddress, let bottom = bottom.baseAddress,
                                let loudTop = loudTop.baseAddress, let loudBottom = loudBottom.baseAddress,
                                let color = color.baseAddress
                            else { return }
                            fill(base, top, bottom, loudTop, loudBottom, color)
                        }
                    }
                }
            }
        }
    }

    private func fill(
        _ base: UnsafeMutablePointer<UInt32>,
        _ top: UnsafePointer<Int32>,
        _ bottom: UnsafePointer<Int32>,
        _ loudTop: UnsafePointer<Int32>,
        _ loudBottom: UnsafePointer<Int32>,
        _ color: UnsafePointer<UInt32>
    ) {
        let (width, rms) = (width, rms)
        let rows = Int32(truncatingIfNeeded: height)
        var line = base
        var row: Int32 = 0
        while row < rows {
            var x = 0
            // Masks in place of conditions, which the compiler turns into vector instructions.
            while x < width {
                let isFilled: UInt32 = (top[x] > row ? 0 : .max) & (bottom[x] > row ? .max : 0)
                let isLoud: UInt32 = (loudTop[x] > row ? 0 : .max) & (loudBottom[x] > row ? .max : 0)
                line[x] = (color[x] & isFilled & ~isLoud) | (rms & isLoud)
                x &+= 1
            }
            line += width
            row &+= 1
        }
    }

    private func lay(_ bin: WaveformBin, at column: Int, _ columns: inout Columns, _ edges: inout [Edge]) {
        let middle = Float(height) / 2
        let least = Float(scale) / 2
        var (top, bottom) = (middle - least, middle + least)
        if bin.isKnown {
            let (high, low) = (Float(bin.maximum) / 32_768, Float(bin.minimum) / 32_768)
            if isSymmetric {
                let reach = max(max(abs(high), abs(low)) * unit, least)
                (top, bottom) = (middle - reach, middle + reach)
            } else {
                (top, bottom) = (middle - high * unit, middle - low * unit)
                if bottom - top < 2 * least {
                    let center = (top + bottom) / 2
                    (top, bottom) = (center - least, center + least)
                }
            }
        }
        let color = bin.isKnown ? peak : missing
        let body = rows(from: top, to: bottom, column, color, &edges)
        let loud = bin.isKnown && bin.rms > 0 ? min(bin.rms, 1) * unit : 0
        let inner =
            loud > 0
            ? rows(from: max(middle - loud, top), to: min(middle + loud, bottom), column, rms, &edges) : 0..<0
        for x in column..<column + ink {
            columns.color[x] = color
            columns.top[x] = body.lowerBound
            columns.bottom[x] = body.upperBound
            columns.loudTop[x] = inner.lowerBound
            columns.loudBottom[x] = inner.upperBound
        }
    }

    /// Returns the rows between two heights that are covered whole, and notes the others.
    private func rows(from top: Float, to bottom: Float, _ column: Int, _ color: UInt32, _ edges: inout [Edge])
        -> Range<Int32>
    {
        let limit = Float(height)
        let (top, bottom) = (min(max(top, 0), limit), min(max(bottom, 0), limit))
        guard bottom > top else { return 0..<0 }
        // Bounded: within the height of a tile.
        let (first, last) = (Int(top.rounded(.up)), Int(bottom.rounded(.down)))
        guard first <= last else {
            edges.append(Edge(column: column, row: last, coverage: bottom - top, color: color))
            return 0..<0
        }
        if Float(first) > top {
            edges.append(Edge(column: column, row: first - 1, coverage: Float(first) - top, color: color))
        }
        if bottom > Float(last) {
            edges.append(Edge(column: column, row: last, coverage: bottom - Float(last), color: color))
        }
        return Int32(truncatingIfNeeded: first)..<Int32(truncatingIfNeeded: last)
    }

    private func mix(_ column: UnsafeMutablePointer<UInt32>, row: Int, _ coverage: Float, _ color: UInt32) {
        guard row >= 0, row < height else { return }
        // Bounded: 0 … 256.
        let share = UInt32((min(max(coverage, 0), 1) * 256).rounded())
        let rest = 256 - share
        let pixels = column + row * width
        for x in 0..<ink {
            // Two parts of 8 bits are mixed at a time, with 8 bits between them.
            let under = pixels[x]
            let even = ((under & 0x00FF_00FF) * rest + (color & 0x00FF_00FF) * share) >> 8 & 0x00FF_00FF
            let odd = ((under >> 8 & 0x00FF_00FF) * rest + (color >> 8 & 0x00FF_00FF) * share) & 0xFF00_FF00
            pixels[x] = even | odd
        }
    }
}
