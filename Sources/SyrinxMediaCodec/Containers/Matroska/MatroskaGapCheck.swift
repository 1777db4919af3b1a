internal import SyrinxByteStream

/// Distinguishes intended gaps between the timestamps of adjacent Matroska blocks from lost blocks.
struct MatroskaGapCheck {
    /// Reads up to `count` bytes at an offset of the file; fewer if they are unavailable.
    let bytes: (_ offset: Int64, _ count: Int) -> [UInt8]

    private enum Identifier {
        static let simpleBlock: Int64 = 0xA3
        static let block: Int64 = 0xA1
        /// The elements that may contain the next block.
        static let masters: Set<Int64> = [0x1F43_B675, 0xA0]
    }

    /// The maximum number of elements between two audio blocks, enough for video during a long gap; more are damage.
    private static let mostElements = 4096

    /// Returns whether only complete EBML elements (RFC 8794) are between two Matroska blocks whose contents start at
    /// these positions.
    func blocksFollow(_ first: Int64, _ second: Int64) -> Bool {
        guard first != second else { return true }
        guard var place = blockEnd(first) else { return false }
        for _ in 0..<Self.mostElements {
            guard place < second, let element = element(place) else { return false }
            if element.body == second {
                return element.identifier == Identifier.simpleBlock || element.identifier == Identifier.block
            }
            if Identifier.masters.contains(element.identifier) {
                place = element.body
            } else {
                // Bounded: `place` lies in 0..<`second`.
                guard let size = element.size, size < second - place else { return false }
                place = element.body.addingClamped(size)
            }
        }
        return false
    }

    /// Returns the end of the block whose content starts at `body`: its size precedes it.
    private func blockEnd(_ body: Int64) -> Int64? {
        for width in 1...8 where body > width {
            // Bounded: `body` is over `width`.
            guard let element = element(body - Int64(width) - 1), element.body == body, let size = element.size,
                element.identifier == Identifier.simpleBlock || element.identifier == Identifier.block
            else { continue }
            return body.addingClamped(size)
        }
        return nil
    }

    /// Returns an element's identifier, the start of its content and its size; the size is `nil` if unknown.
    func element(_ offset: Int64) -> (identifier: Int64, body: Int64, size: Int64?)? {
        let head = bytes(offset, 12)
        guard let first = head.first, first >= 0x10 else { return nil }
        let identifierWidth = first.leadingZeroBitCount + 1
        guard head.count > identifierWidth, case let second = head[identifierWidth], second > 0 else { return nil }
        let sizeWidth = second.leadingZeroBitCount + 1
        guard head.count >= identifierWidth + sizeWidth else { return nil }
        let number = { (range: Range<Int>) in head[range].reduce(Int64(0)) { $0 << 8 | Int64($1) } }
        let most = Int64(1) << (7 * sizeWidth) - 1
        let size = number(identifierWidth..<identifierWidth + sizeWidth) & most
        return (
            number(0..<identifierWidth), offset.addingClamped(Int64(identifierWidth + sizeWidth)),
            size == most ? nil : size
        )
    }
}
