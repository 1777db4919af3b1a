public import SyrinxByteStream
import SyrinxMediaCodec

/// Reads a recording from one frame to another, and hands on its samples.
public enum RecordingScan {
    /// The extent of what was read.
    public struct Outcome: Sendable {
        /// The frames that were read.
        public var frameCount: Int64
        /// Packets in whose place there is silence, because they could not be decoded.
        public var damagedPacketCount: Int
        /// The reason for an early end.
        ///
        /// What was read until then remains valid.
        public var failure: SyrinxError?
    }

    /// Frames that are handed on at once: long enough for the loops, short enough to end at once.
    static let step = 4096

    /// Reads `frames` of `reader`, or what there is of them, on this thread, which may wait.
    /// - Parameters:
    ///   - shouldGoOn: Asked before each reading; if false, there is none.
    ///   - body: Gets one pointer for each channel, the number of frames, and the position of the first.
    /// - Returns: How far it came; a recording that is damaged is read as far as it can be.
    package static func read(
        _ reader: any SampleReader,
        frames: Range<Int64> = 0..<Int64.max,
        while shouldGoOn: () -> Bool = { true },
        _ body: (UnsafePointer<UnsafeMutablePointer<Float>>, Int, Int64) -> Void
    ) -> Outcome {
        let channelCount = reader.info.channelCount
        let storage = UnsafeMutablePointer<Float>.allocate(capacity: step * channelCount)
        let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
        storage.initialize(repeating: 0, count: step * channelCount)
        for channel in 0..<channelCount { (channels + channel).initialize(to: storage + channel * step) }
        defer {
            storage.deallocate()
            channels.deallocate()
        }
        var outcome = Outcome(frameCount: 0, damagedPacketCount: 0, failure: nil)
        do throws(SyrinxError) {
            if reader.position != frames.lowerBound { try reader.seek(toFrame: frames.lowerBound) }
            while reader.position < frames.upperBound, shouldGoOn() {
                let position = reader.position
                let wanted = Int(min(Int64(step), frames.upperBound - position))
                let count = try reader.read(into: UnsafePointer(channels), frameCount: wanted)
                if count == 0 { break }
                body(UnsafePointer(channels), count, position)
                outcome.frameCount += Int64(count)
            }
        } catch {
            outcome.failure = error
        }
        outcome.damagedPacketCount = reader.corruptPacketCount
        return outcome
    }
}
