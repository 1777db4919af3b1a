/// Splits a FLAC file into frames.
///
/// A frame is complete when the next one starts, or when the received bytes end with it. If the bytes continue at
/// another position, the incomplete frame is dropped. After a seek, frames before the requested one are dropped too.
package struct FLACCutter: PacketCutter {
    private var splitter: FLACFrameParser
    /// The offset of the next byte in the file.
    private var position: Int64
    /// The offset at which bytes may continue from another position.
    private var junction: Int64?
    private var target: Int64?
    private var hasJumped = false

    init(_ info: FLACStreamInfo, at offset: Int64) {
        splitter = FLACFrameParser(info)
        position = offset
    }

    package mutating func push(_ bytes: UnsafeRawBufferPointer) {
        bytes.withMemoryRebound(to: UInt8.self) { splitter.push($0, at: position) }
        position += Int64(bytes.count)
    }

    package mutating func breakOff(at offset: Int64?, toFrame frame: Int64?) {
        if junction == nil { junction = position }
        target = frame ?? target
    }

    package mutating func finish() { splitter.finish() }

    package mutating func next() -> PacketCut? {
        while let piece = splitter.next() ?? splitter.nextAtEnd() {
            // Skip bytes that are not a frame, which the decoder cannot use.
            guard let frame = piece.frame, keeps(piece, frame) else { continue }
            return PacketCut(
                bytes: Array(piece.bytes),
                frameCount: UInt32(clamping: frame.count),
                offset: hasJumped ? nil : piece.offset,
                startFrame: frame.start
            )
        }
        return nil
    }

    private mutating func keeps(_ piece: FLACFrameParser.Piece, _ frame: FLACFrameHeader) -> Bool {
        if let junction, piece.offset + Int64(piece.bytes.count) > junction {
            self.junction = nil
            var sum = FLACChecksum()
            sum.add(piece.bytes)
            if piece.offset >= junction || sum.value != 0 { hasJumped = true }
            if sum.value != 0 { return false }
        }
        guard hasJumped, let target else { return true }
        if frame.end <= target { return false }
        self.target = nil
        return true
    }
}
