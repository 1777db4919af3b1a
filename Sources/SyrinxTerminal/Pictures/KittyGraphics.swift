/// Kitty's protocol for graphics (sw.kovidgoyal.net/kitty/graphics-protocol).
package enum KittyGraphics {
    /// The most bytes of a piece of data, in Base64.
    static let pieceLength = 4_096
    /// The greatest side of a picture that is sent; larger ones are reduced.
    static let maximumSide = 640

    /// Appends the data of a picture: RGBA in pieces, without an answer.
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

    /// Appends the order to show a picture at the cursor, which stays where it is.
    static func appendPlacement(of placed: CellGrid.PlacedPicture, to bytes: inout [UInt8]) {
        let (id, area) = (placed.picture.id, placed.area)
        bytes.append(contentsOf: "\u{1B}_Ga=p,q=2,i=\(id),p=1,c=\(area.columns),r=\(area.rows),C=1\u{1B}\\".utf8)
    }

    /// Appends the order to show no picture; the data stays.
    static func appendRemoval(to bytes: inout [UInt8]) { bytes.append(sequence: "\u{1B}_Ga=d,d=a,q=2\u{1B}\\") }

    /// Appends the order to show no picture and to free the data.
    package static func appendDeletion(to bytes: inout [UInt8]) {
        bytes.append(sequence: "\u{1B}_Ga=d,d=A,q=2\u{1B}\\")
    }
}

/// The encoding of RFC 4648, section 4.
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
