/// A picture in memory, with rows from top to bottom and 8 bits each of red, green, blue and alpha, not premultiplied.
package struct Picture: Equatable, Sendable {
    /// The maximum width and height, in pixels.
    package static let maximumSide = 4_096

    /// The identifier; pictures with the same identifier are assumed to be identical.
    package let id: UInt32
    package let width: Int
    package let height: Int
    let pixels: [UInt8]

    /// Creates a picture; `nil` if a side is not in 1…`maximumSide`, or the number of bytes is not 4 × width × height.
    ///
    /// - Parameter id: A positive number that no other picture uses.
    package init?(id: UInt32, width: Int, height: Int, pixels: [UInt8]) {
        let sides = 1...Self.maximumSide
        guard id > 0, sides.contains(width), sides.contains(height), pixels.count == width * height * 4 else {
            return nil
        }
        self.id = id
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.width == right.width && left.height == right.height
    }

    /// Returns the picture scaled to another size, with each pixel the mean of those that it covers.
    ///
    /// - Parameters:
    ///   - width: The width, clamped to 1…`maximumSide`, as is `height`.
    package func scaled(width: Int, height: Int) -> Picture {
        let width = min(max(width, 1), Self.maximumSide)
        let height = min(max(height, 1), Self.maximumSide)
        if width == self.width, height == self.height { return self }
        var result = [UInt8](repeating: 0, count: width * height * 4)
        for row in 0..<height {
            let top = row * self.height / height
            let bottom = max((row + 1) * self.height / height, top + 1)
            for column in 0..<width {
                let left = column * self.width / width
                let right = max((column + 1) * self.width / width, left + 1)
                var (red, green, blue, opacity) = (0, 0, 0, 0)
                for line in top..<bottom {
                    for place in left..<right {
                        let index = (line * self.width + place) * 4
                        let weight = Int(pixels[index + 3])
                        red += Int(pixels[index]) * weight
                        green += Int(pixels[index + 1]) * weight
                        blue += Int(pixels[index + 2]) * weight
                        opacity += weight
                    }
                }
                let index = (row * width + column) * 4
                let count = (bottom - top) * (right - left)
                if opacity > 0 {
                    result[index] = UInt8(red / opacity)
                    result[index + 1] = UInt8(green / opacity)
                    result[index + 2] = UInt8(blue / opacity)
                    result[index + 3] = UInt8(opacity / count)
                }
            }
        }
        return Picture(id: id, width: width, height: height, pixels: result) ?? self
    }

    /// Returns the largest size in cells, within a number of columns and rows, that preserves the aspect ratio.
    ///
    /// - Parameter cellRatio: The height of a cell divided by its width, about 2 in most fonts.
    package func fittedCells(columns: Int, rows: Int, cellRatio: Double = 2) -> (columns: Int, rows: Int) {
        guard columns > 0, rows > 0 else { return (0, 0) }
        let ratio = cellRatio.isFinite ? min(max(cellRatio, 0.5), 4) : 2
        let shape = Double(width) / Double(height) * ratio
        // Both are at most the sides of a grid or a picture.
        let wide = Double(rows) * shape
        if wide <= Double(columns) { return (max(Int(wide.rounded()), 1), rows) }
        return (columns, min(max(Int((Double(columns) / shape).rounded()), 1), rows))
    }
}
