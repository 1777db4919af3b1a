internal import SyrinxByteStream
import SyrinxMediaCodec

extension WaveformDrawing {
    /// The drawing as RGBA pixels, one byte each for red, green, blue and opacity, in rows from top to bottom.
    public var pixels: [UInt8] {
        var canvas = Canvas(width: width, height: height, background: theme.background)
        for row in rows {
            for bar in row.bars { canvas.fill(bar, radius: row.radius, row.color) }
        }
        if let border = theme.border {
            let (right, bottom) = (Double(width), Double(height))
            canvas.fill(WaveformBar(x: 0, y: 0, width: right, height: 1), radius: 0, border)
            canvas.fill(WaveformBar(x: 0, y: bottom - 1, width: right, height: 1), radius: 0, border)
            canvas.fill(WaveformBar(x: 0, y: 1, width: 1, height: bottom - 2), radius: 0, border)
            canvas.fill(WaveformBar(x: right - 1, y: 1, width: 1, height: bottom - 2), radius: 0, border)
        }
        return canvas.bytes
    }

    /// Encodes the drawing as a PNG file.
    ///
    /// ```swift
    /// let drawing = WaveformDrawing(waveform, width: 800, height: 200)
    /// try Data(drawing.png()).write(to: URL(fileURLWithPath: "waveform.png"))
    /// ```
    /// - Parameter compression: The compression level, 0 (none) to 9 (maximum); `nil` is the default level.
    /// - Throws: The errors of `PNGEncoder`.
    public func png(compression: Int? = nil) throws(SyrinxError) -> [UInt8] {
        try PNGEncoder.encode(pixels, width: width, height: height, compression: compression)
    }
}

/// An image on which rectangles are painted.
private struct Canvas {
    let width: Int
    let height: Int
    var bytes: [UInt8]

    init(width: Int, height: Int, background: WaveformColor) {
        self.width = width
        self.height = height
        bytes = []
        bytes.reserveCapacity(width * height * 4)
        for _ in 0..<width * height {
            bytes.append(background.red)
            bytes.append(background.green)
            bytes.append(background.blue)
            bytes.append(background.opacity)
        }
    }

    /// Paints a rectangle; partially covered pixels are blended.
    mutating func fill(_ bar: WaveformBar, radius: Double, _ color: WaveformColor) {
        guard bar.width > 0, bar.height > 0 else { return }
        let radius = min(radius, bar.width / 2, bar.height / 2)
        let (left, right) = (max(bar.x, 0), min(bar.x + bar.width, Double(width)))
        let (top, bottom) = (max(bar.y, 0), min(bar.y + bar.height, Double(height)))
        guard left < right, top < bottom else { return }
        for y in Int(clamped: top)..<Int(clamped: bottom.rounded(.up)) {
            let vertical = min(Double(y + 1), bottom) - max(Double(y), top)
            for x in Int(clamped: left)..<Int(clamped: right.rounded(.up)) {
                let horizontal = min(Double(x + 1), right) - max(Double(x), left)
                let isInner = horizontal >= 1 && vertical >= 1
                let corner = radius > 0 ? Self.cornerCoverage(bar, radius, x, y) : 1
                blend(x, y, color, isInner ? corner : horizontal * vertical * corner)
            }
        }
    }

    /// Returns the fraction of a pixel within the rounded corners, on a grid of 4 × 4 points.
    private static func cornerCoverage(_ bar: WaveformBar, _ radius: Double, _ x: Int, _ y: Int) -> Double {
        let (left, right) = (bar.x + radius, bar.x + bar.width - radius)
        let (top, bottom) = (bar.y + radius, bar.y + bar.height - radius)
        if Double(y) >= top && Double(y + 1) <= bottom { return 1 }
        var inside = 0
        for row in 0..<4 {
            for column in 0..<4 {
                let px = Double(x) + (Double(column) + 0.5) / 4
                let py = Double(y) + (Double(row) + 0.5) / 4
                let dx = max(left - px, px - right, 0)
                let dy = max(top - py, py - bottom, 0)
                if dx * dx + dy * dy <= radius * radius { inside += 1 }
            }
        }
        return Double(inside) / 16
    }

    /// Blends a color over a pixel ("over" of Porter and Duff, 1984).
    private mutating func blend(_ x: Int, _ y: Int, _ color: WaveformColor, _ coverage: Double) {
        let at = (y * width + x) * 4
        let over = Double(color.opacity) / 255 * min(max(coverage, 0), 1)
        let under = Double(bytes[at + 3]) / 255 * (1 - over)
        let opacity = over + under
        guard opacity > 0 else { return }
        let parts = [color.red, color.green, color.blue]
        for (index, part) in parts.enumerated() {
            let mixed = (Double(part) * over + Double(bytes[at + index]) * under) / opacity
            // Bounded: by min and max in this line.
            bytes[at + index] = UInt8(min(max(mixed.rounded(), 0), 255))
        }
        // Bounded: an opacity is at most 1.
        bytes[at + 3] = UInt8((opacity * 255).rounded())
    }
}
