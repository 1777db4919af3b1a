/// Encodes Kitty's graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol).
package enum KittyGraphics {
    /// The maximum number of Base64 characters per chunk.
    static let pieceLength = 4_096
    /// The maximum width and height of a sent picture in pixels; larger pictures are scaled down.
    static let maximumSide = 640

    /// Appends the data of a picture as RGBA in chunks, without requesting a response.
    static func appendTransmission(of picture: Picture, to bytes: inout [UInt8]) {
        let scale = min(Double(maximumSide) / Double(max(picture.width, picture.height)), 1)
        let small = picture.scaled(
            width: Int(Double(picture.width) * scale),
            height: Int(Double(picture.height) * scale)
        )
        let data = Base64.encode(small.pixels)
        var start = 0
        while start < data.count {
            let end = min(start + pieceLength, data.count)
            bytes.append(sequence: "\u{1B}_G")
            if start == 0 {
                bytes.append(contentsOf: "a=t,t=d,f=32,q=2,i=\(small.id),s=\(small.width),v=\(small.height),".utf8)
            }
            bytes.append(contentsOf: (end < data.count ? "m=1;" : "m=0;").utf8)
            bytes.append(contentsOf: data[start..<end])
            bytes.append(sequence: "\u{1B}\\")
            start = end
        }
    }

    /// Appends the command that displays a picture at the cursor, without moving it.
    static func appendPlacement(of placed: CellGrid.PlacedPicture, to bytes: inout [UInt8]) {
        let (id, area) = (placed.picture.id, placed.area)
        bytes.append(contentsOf: "\u{1B}_Ga=p,q=2,i=\(id),p=1,c=\(area.columns),r=\(area.rows),C=1\u{1B}\\".utf8)
    }

    /// Appends the command that removes all pictures from the screen, but keeps their data.
    static func appendRemoval(to bytes: inout [UInt8]) { bytes.append(sequence: "\u{1B}_Ga=d,d=a,q=2\u{1B}\\") }

    /// Appends the command that removes all pictures and frees their data.
    package static func appendDeletion(to bytes: inout [UInt8]) {
        bytes.append(sequence: "\u{1B}_Ga=d,d=A,q=2\u{1B}\\")
    }
}

/// Encodes Base64 (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let group =
                Int(bytes[index]) << 16 | (left > 1 ? Int(bytes[index + 1]) << 8 : 0)
                | (left > 2 ? Int(bytes[index + 2]) : 0)
            result.append(alphabet[group >> 18])
            result.append(alphabet[group >> 12 & 63])
            result.append(left > 1 ? alphabet[group >> 6 & 63] : UInt8(ascii: "="))
            result.append(left > 2 ? alphabet[group & 63] : UInt8(ascii: "="))
            index += 3
        }
        return result
    }
}
