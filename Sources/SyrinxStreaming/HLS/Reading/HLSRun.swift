import SyrinxByteStream
import SyrinxMediaCodec

/// The samples of a run of segments, in the format of the presentation, on its timeline.
///
/// One thread at a time.
final class HLSRun {
    let stream: HLSRunStream
    let reader: MediaReader
    private let converter: Resampler?
    private let scratch: HLSFrames
    /// The number of frames of the presentation in a packet; 0 if packets differ, or have another sample rate.
    let grid: Double
    /// The frames that a decoder needs before its output is right.
    let preroll: Int64
    /// The start frame of the run on the timeline.
    var start: Int64 = 0
    /// The frame of the timeline that is read next.
    var position: Int64 = 0
    private let startDamage: Int
    private var isDrained = false

    private static let scratchFrames = 2_048

    /// The common format of all runs of a presentation.
    struct Format: Equatable {
        var sampleRate: Double
        var channelCount: Int
        var layout: String

        init(_ info: MediaInfo) {
            sampleRate = info.sampleRate
            channelCount = info.channelCount
            layout = info.channelLayout
        }
    }

    /// The samples of `stream` in `format`; `nil` is their own.
    init(_ stream: HLSRunStream, in format: Format?) throws(SyrinxError) {
        self.stream = stream
        reader = try MediaReader.open(stream)
        let own = Format(reader.info)
        let format = format ?? own
        let frames = Double(reader.info.streamDescription.mFramesPerPacket)
        if own == format {
            converter = nil
            grid = frames
        } else {
            converter = try Resampler(
                from: (own.sampleRate, own.channelCount),
                sourceLayout: own.layout,
                to: (format.sampleRate, format.channelCount)
            )
            grid = 0
        }
        scratch = HLSFrames(channelCount: max(own.channelCount, format.channelCount), capacity: Self.scratchFrames)
        // This is the reach of MP3's bit reservoir; with other codecs, the windows of two packets overlap.
        let packets = reader.info.codec == "mp3" ? 9.0 : 2.0
        preroll = Int64(clamped: packets * frames * format.sampleRate / own.sampleRate)
        startDamage = reader.corruptPacketCount
    }

    /// The number of undecodable packets, except those that depend on data before the run.
    var corruptPacketCount: Int { reader.corruptPacketCount.subtractingClamped(startDamage) }

    /// Copies the next samples; 0 at the end of the run.
    func read(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) throws(SyrinxError) -> Int {
        guard let converter else {
            let count = try reader.read(into: channels, frameCount: frameCount)
            position = position.addingClamped(Int64(count))
            return count
        }
        while true {
            let count = converter.pull(into: channels, frameCount: frameCount)
            if count > 0 || isDrained {
                position = position.addingClamped(Int64(count))
                return count
            }
            let wanted = min(Self.scratchFrames, converter.inputFrameCountPerPush)
            let read = try reader.read(into: scratch.channels, frameCount: wanted)
            if read > 0 {
                try converter.push(scratch.channels, frameCount: read)
            } else {
                isDrained = true
                try converter.finish()
            }
        }
    }

    /// Reads and drops samples up to a frame.
    /// - Returns: Whether the run reaches that frame.
    func skip(to frame: Int64) throws(SyrinxError) -> Bool {
        // `scratch` may be in use for the converter.
        let dropped = HLSFrames(channelCount: scratch.channelCount, capacity: Self.scratchFrames)
        while position < frame {
            let wanted = Int(min(Int64(dropped.capacity), frame.subtractingClamped(position)))
            if try read(into: dropped.channels, frameCount: wanted) == 0 { return false }
        }
        return true
    }
}

/// Buffers of samples, one a channel.
final class HLSFrames {
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    let capacity: Int
    private let storage: UnsafeMutablePointer<Float>
    private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(channelCount: Int, capacity: Int) {
        self.channelCount = channelCount
        self.capacity = capacity
        storage = .allocate(capacity: channelCount * capacity)
        storage.initialize(repeating: 0, count: channelCount * capacity)
        table = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { (table + channel).initialize(to: storage + channel * capacity) }
        channels = UnsafePointer(table)
    }

    deinit {
        storage.deallocate()
        table.deallocate()
    }
}
