import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxStreaming

/// Somewhere that frames come from: float 32, one buffer a channel.
///
/// One thread.
protocol FrameSource: AnyObject {
    /// Frames per second.
    var sampleRate: Double { get }
    /// The number of channels.
    var channelCount: Int { get }

    /// Writes the next frames to the beginning of `block`, at most its capacity.
    /// - Returns: How many; 0 at the end.
    func read(into block: SampleBlock) throws(Failure) -> Int
}

/// The frames of an input, or of a part of it.
final class InputSource: FrameSource {
    private let reader: any SampleReader
    private let name: String
    private var remaining: Int64

    let sampleRate: Double
    let channelCount: Int

    /// The expected number of frames, if that is known.
    let expectedCount: Int64?

    /// The frames of `reader` from `start` seconds on, up to `end` seconds if that is given.
    init(_ reader: any SampleReader, name: String, start: Double, end: Double?) throws(Failure) {
        self.reader = reader
        self.name = name
        // The bytes there are count; a reader that reads to the end looks for an `InputDamage` then.
        reader.endsWhereCutOff = true
        let rate = reader.info.sampleRate
        sampleRate = rate
        channelCount = reader.info.channelCount
        let first = Int64(clamped: (start * rate).rounded())
        let last = end.map { Int64(clamped: ($0 * rate).rounded()) } ?? .max
        remaining = max(0, last.subtractingClamped(first))
        if let count = reader.info.frameCount, first > count, reader.info.isSeekable {
            // The length stated may be too short, which this finds out.
            do throws(SyrinxError) { try reader.seek(toFrame: first) } catch { throw Failure(error, name: name) }
        }
        let info = reader.info
        expectedCount = info.frameCount.map { max(0, min($0, last).subtractingClamped(first)) }
        if let count = info.frameCount, first >= count, first > 0 { throw startLiesBehind(count) }
        if first > 0 { try skip(to: first) }
    }

    func read(into block: SampleBlock) throws(Failure) -> Int {
        let wanted = Int(min(Int64(block.capacity), remaining))
        guard wanted > 0 else { return 0 }
        do throws(SyrinxError) {
            let count = try reader.read(into: block.channels, frameCount: wanted)
            remaining -= Int64(count)
            return count
        } catch {
            throw Failure(error, name: name)
        }
    }

    /// Goes to a frame; where the input cannot seek, by reading what lies before it.
    private func skip(to frame: Int64) throws(Failure) {
        do throws(SyrinxError) {
            if reader.info.isSeekable {
                // Sound that is missing before the wanted part does not count.
                _ = reader.takeMissing()
                try reader.seek(toFrame: frame)
            }
            let block = SampleBlock(channelCount: channelCount, capacity: 4096)
            while !reader.info.isSeekable, reader.position < frame {
                let wanted = Int(min(Int64(block.capacity), frame.subtractingClamped(reader.position)))
                if try reader.read(into: block.channels, frameCount: wanted) == 0 { break }
            }
        } catch {
            throw Failure(error, name: name)
        }
        let isKnownEnd = reader.info.frameCount.map { frame >= $0 } ?? false
        if reader.position < frame || isKnownEnd { throw startLiesBehind(reader.info.frameCount ?? reader.position) }
    }

    private func startLiesBehind(_ end: Int64) -> Failure {
        let length = ClockTime.text(Double(end) / sampleRate)
        return .usage("--start lies at or behind the end (\(length))", name: name, code: .startBeyondEnd)
    }
}
