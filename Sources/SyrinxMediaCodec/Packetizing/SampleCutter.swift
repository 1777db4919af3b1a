internal import SyrinxByteStream

/// Cuts plain samples: gives out all whole frames that have come, at once.
package struct SampleCutter: PacketCutter {
    private let frameSize: Int
    private var backlog: ByteBacklog
    /// The end of the sound in the file; `nil` if it is the end of the file.
    private let end: Int64?
    private var hasJumped = false

    /// - Parameters:
    ///   - frameSize: The bytes of a frame, at least 1.
    ///   - offset: Where the first frame begins in the file.
    ///   - frameCount: How many there are, if the file says so.
    package init(frameSize: Int, at offset: Int64, frameCount: Int64?) {
        self.frameSize = max(frameSize, 1)
        backlog = ByteBacklog(at: offset)
        // A header that says 0 was never filled out.
        end = frameCount.flatMap { count in
            guard count > 0 else { return nil }
            let (size, isTooFar) = count.multipliedReportingOverflow(by: Int64(max(frameSize, 1)))
            let (end, isTooLong) = size.addingReportingOverflow(offset)
            return isTooFar || isTooLong ? nil : end
        }
    }

    package mutating func push(_ bytes: UnsafeRawBufferPointer) { backlog.append(bytes) }

    package mutating func breakOff(at offset: Int64?, toFrame frame: Int64?) {
        // A frame begins with the next byte, and what is left of the one before is no frame.
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
