/// Encodes pictures in DEC's Sixel format.
package enum SixelEncoder {
    /// The maximum width and height of a sent picture, in pixels.
    package static let maximumSide = 1_000
    /// The maximum number of colors, which all terminals support.
    static let maximumColors = 256

    /// Returns the sequence that draws a picture at the cursor; larger pictures are scaled down to `maximumSide`.
    ///
    /// Transparent pixels leave the screen unchanged.
    package static func encode(_ picture: Picture) -> [UInt8] {
        let picture = picture.scaled(width: min(picture.width, maximumSide), height: min(picture.height, maximumSide))
        let palette = Palette(picture, count: maximumColors)
        // P2 = 1: pixels that are not set keep their color.
        var bytes = Array("\u{1B}P0;1;0q\"1;1;\(picture.width);\(picture.height)".utf8)
        for (index, color) in palette.colors.enumerated() {
            func percent(_ value: Int) -> Int { (value * 100 + 127) / 255 }
            bytes.append(contentsOf: "#\(index);2;\(percent(color.0));\(percent(color.1));\(percent(color.2))".utf8)
        }
        for top in stride(from: 0, to: picture.height, by: 6) {
            if top > 0 { bytes.append(UInt8(ascii: "-")) }
            appendBand(top, picture, palette, &bytes)
        }
        bytes.append(sequence: "\u{1B}\\")
        return bytes
    }

    /// Appends a band of six rows, with run-length encoded bits for each of its colors.
    private static func appendBand(_ top: Int, _ picture: Picture, _ palette: Palette, _ bytes: inout [UInt8]) {
        let width = picture.width
        var bits: [Int: [UInt8]] = [:]
        for row in top..<min(top + 6, picture.height) {
            for column in 0..<width {
                let color = Int(palette.indices[row * width + column])
                guard color < palette.colors.count else { continue }
                bits[color, default: Array(repeating: 0, count: width)][column] |= 1 << UInt8(row - top)
            }
        }
        var isFirst = true
        for (color, columns) in bits.sorted(by: { $0.key < $1.key }) {
            if !isFirst { bytes.append(UInt8(ascii: "$")) }
            isFirst = false
            bytes.append(UInt8(ascii: "#"))
            bytes.append(decimal: color)
            var start = 0
            while start < width {
                var end = start + 1
                while end < width, columns[end] == columns[start] { end += 1 }
                let isEmptyTail = end == width && columns[start] == 0
                if !isEmptyTail { append(columns[start] + 0x3F, count: end - start, &bytes) }
                start = end
            }
        }
    }

    private static func append(_ sixel: UInt8, count: Int, _ bytes: inout [UInt8]) {
        if count > 3 {
            bytes.append(UInt8(ascii: "!"))
            bytes.append(decimal: count)
            bytes.append(sixel)
        } else {
            for _ in 0..<count { bytes.append(sixel) }
        }
    }
}

/// A palette for a picture, computed by median cut, with the color index of each pixel.
struct Palette: Sendable {
    private(set) var colors: [(Int, Int, Int)] = []
    /// The color index of each pixel; 65,535 if it is transparent.
    private(set) var indices: [UInt16] = []

    /// A box of colors with five bits per channel, and the number of its pixels.
    private struct Box {
        var entries: [(color: Int, count: Int)]
        var axis = 0
        var spread = 0

        init(_ entries: [(color: Int, count: Int)]) {
            self.entries = entries
            for shift in [10, 5, 0] {
                var (low, high) = (31, 0)
                for entry in entries {
                    let value = (entry.color >> shift) & 31
                    low = min(low, value)
                    high = max(high, value)
                }
                if high - low > spread { (axis, spread) = (shift, high - low) }
            }
        }
    }

    /// Creates a palette of at most `count` colors, 1…256.
    init(_ picture: Picture, count: Int) {
        let pixels = picture.width * picture.height
        var histogram = [Int](repeating: 0, count: 32_768)
        var sums = [(Int, Int, Int)](repeating: (0, 0, 0), count: 32_768)
        func key(_ index: Int) -> Int? {
            guard picture.pixels[index + 3] >= 128 else { return nil }
            let red = Int(picture.pixels[index] >> 3)
            let green = Int(picture.pixels[index + 1] >> 3)
            return red << 10 | green << 5 | Int(picture.pixels[index + 2] >> 3)
        }
        for pixel in 0..<pixels {
            guard let key = key(pixel * 4) else { continue }
            histogram[key] += 1
            sums[key].0 += Int(picture.pixels[pixel * 4])
            sums[key].1 += Int(picture.pixels[pixel * 4 + 1])
            sums[key].2 += Int(picture.pixels[pixel * 4 + 2])
        }
        let used = (0..<histogram.count).filter { histogram[$0] > 0 }.map { (color: $0, count: histogram[$0]) }
        var places = [UInt16](repeating: .max, count: 32_768)
        for box in Self.boxes(of: used, count: min(max(count, 1), 256)) {
            var (red, green, blue, total) = (0, 0, 0, 0)
            for entry in box.entries {
                places[entry.color] = UInt16(colors.count)
                red += sums[entry.color].0
                green += sums[entry.color].1
                blue += sums[entry.color].2
                total += entry.count
            }
            if total > 0 { colors.append((red / total, green / total, blue / total)) }
        }
        indices = (0..<pixels).map { key($0 * 4).map { places[$0] } ?? .max }
    }

    /// Splits the box with the widest channel, weighted by its pixel count, until there are `count` boxes.
    private static func boxes(of entries: [(color: Int, count: Int)], count: Int) -> [Box] {
        guard !entries.isEmpty else { return [] }
        var boxes = [Box(entries)]
        while boxes.count < count {
            let weights = boxes.map { box in box.spread * box.entries.reduce(0) { $0 + $1.count } }
            guard let index = weights.indices.max(by: { weights[$0] < weights[$1] }), weights[index] > 0 else { break }
            let box = boxes[index]
            let sorted = box.entries.sorted { ($0.color >> box.axis) & 31 < ($1.color >> box.axis) & 31 }
            let half = sorted.reduce(0) { $0 + $1.count } / 2
            var passed = 0
            var cut = 0
            while cut < sorted.count - 1, passed + sorted[cut].count <= half || cut == 0 {
                passed += sorted[cut].count
                cut += 1
            }
            boxes[index] = Box(Array(sorted[..<cut]))
            boxes.append(Box(Array(sorted[cut...])))
        }
        return boxes
    }
}
