internal import SyrinxByteStream

/// Splits uncompressed samples, by returning all complete frames at once.
package struct SampleCutter: PacketCutter {
    private let frameSize: Int
    private var backlog: ByteBacklog
    /// The file offset of the end of the audio; `nil` for the end of the file.
    private let end: Int64?
    private var hasJumped = false

    /// - Parameters:
    ///   - frameSize: The size of a frame in bytes, at least 1.
    ///   - offset: The file offset of the first frame.
    ///   - frameCount: The number of frames, if the file states it.
    package init(frameSize: Int, at offset: Int64, frameCount: Int64?) {
        self.frameSize = max(frameSize, 1)
        backlog = ByteBacklog(at: offset)
        // A header that states 0 was never completed.
        end = frameCount.flatMap { count in
            guard count > 0 else { return nil }
            let (size, isTooFar) = count.multipliedReportingOverflow(by: Int64(max(frameSize, 1)))
            let (end, isTooLong) = size.addingReportingOverflow(offset)
            return isTooFar || isTooLong ? nil : end
        }
    }

    package mutating func push(_ bytes: UnsafeRawBufferPointer) { backlog.append(bytes) }

    package mutating func breakOff(at offset: Int64?, toFrame frame: Int64?) {
        // The next byte starts a frame, so an incomplete frame is dropped.
        hasJumped = hasJumped || offset == nil
        if let offset, !hasJumped {
            backlog.restart(at: offset)
        } else {
            backlog.place = backlog.count
        }
    }

    package mutating func finish() {}

    package mutating func next() -> PacketCut? {
        var count = backlog.waiting
        if let end, !hasJumped {
            count = min(count, Int(clamping: max(end.subtractingClamped(backlog.fileOffset), 0)))
            if count == 0 { backlog.place = backlog.count }
        }
        // Bounded: a remainder is no more than the count.
        count -= count % frameSize
        guard count > 0 else { return nil }
        let offset = hasJumped ? nil : backlog.fileOffset
        return PacketCut(bytes: backlog.take(count), offset: offset)
    }
}
