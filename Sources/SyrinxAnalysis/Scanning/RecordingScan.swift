public import SyrinxByteStream
import SyrinxMediaCodec

/// Reads a range of a recording and passes its samples on.
public enum RecordingScan {
    /// The extent of a scan.
    public struct Outcome: Sendable {
        /// The number of frames that were read.
        public var frameCount: Int64
        /// The number of packets that could not be decoded and were replaced by silence.
        public var damagedPacketCount: Int
        /// The last read error; `nil` if none occurred.
        ///
        /// Samples that were read before the error are valid. The error ends the scan, but the analysis of an arriving
        /// recording continues after damage. A cancelled scan is incomplete, even if it has no error here.
        public var failure: SyrinxError?
    }

    /// The number of frames that are passed on at a time: enough for efficient loops, few enough to stop quickly.
    static let step = 4096

    /// Reads `frames` of `reader`, as far as they exist, on the calling thread; blocks.
    /// - Parameters:
    ///   - shouldGoOn: Called before each read; returning false ends the scan.
    ///   - body: Receives one pointer for each channel, the number of frames, and the position of the first frame.
    /// - Returns: The extent of the scan; a damaged recording is read as far as possible.
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
