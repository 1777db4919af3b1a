import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxStreaming

/// A source of frames of 32-bit floats, with one buffer per channel.
///
/// Not thread-safe.
protocol FrameSource: AnyObject {
    /// The sample rate, in hertz.
    var sampleRate: Double { get }
    /// The number of channels.
    var channelCount: Int { get }

    /// Reads the next frames into `block`, at most its capacity.
    /// - Returns: The number of frames; 0 at the end.
    func read(into block: SampleBlock) throws(Failure) -> Int
}

/// The frames of an input, or of a part of it.
final class InputSource: FrameSource {
    private let reader: any SampleReader
    private let name: String
    private var remaining: Int64

    let sampleRate: Double
    let channelCount: Int

    /// The expected number of frames; `nil` if it is unknown.
    let expectedCount: Int64?

    /// Creates a source that reads from `start` to `end` in seconds; `nil` for the end of the input.
    init(_ reader: any SampleReader, name: String, start: Double, end: Double?) throws(Failure) {
        self.reader = reader
        self.name = name
        // Read all existing bytes; a reader that reaches the end then checks for an `InputDamage`.
        reader.endsWhereCutOff = true
        let rate = reader.info.sampleRate
        sampleRate = rate
        channelCount = reader.info.channelCount
        let first = Int64(clamped: (start * rate).rounded())
        let last = end.map { Int64(clamped: ($0 * rate).rounded()) } ?? .max
        remaining = max(0, last.subtractingClamped(first))
        if let count = reader.info.frameCount, first > count, reader.info.isSeekable {
            // The stated length may be too short, which a seek detects.
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

    /// Seeks to a frame; if the input is not seekable, reads and drops the frames before it.
    private func skip(to frame: Int64) throws(Failure) {
        do throws(SyrinxError) {
            if reader.info.isSeekable {
                // Ignore audio that is missing before the requested part.
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
        return .usage("--start is at or after the end (\(length))", name: name, code: .startBeyondEnd)
    }
}
