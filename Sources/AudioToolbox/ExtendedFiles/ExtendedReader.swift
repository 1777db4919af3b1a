internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// A file that is read in a format of the caller's.
///
/// One thread at a time.
final class ExtendedReader {
    let reader: MediaReader
    /// The number of frames read so far, at the sample rate of the file.
    private(set) var position: Int64 = 0
    private let path: String
    private let native: AudioStreamBasicDescription
    private(set) var client: AudioStreamBasicDescription
    private var conversion: AudioConversion
    private var hasEnded = false
    private let scratch: FloatPlanes<Float>
    private var counted: Int64?

    private static let scratchFrames = 4096

    init(path: String) throws(SyrinxError) {
        self.path = path
        reader = try MediaReader.open(Self.stream(path))
        let info = reader.info
        native = .planarFloat(rate: info.sampleRate, channelCount: UInt32(clamping: info.channelCount))
        client = native
        conversion = try AudioConversion(from: native, to: native)
        scratch = FloatPlanes(channelCount: info.channelCount, capacity: Self.scratchFrames)
    }

    private static func stream(_ path: String) throws(SyrinxError) -> FileByteStream {
        try FileByteStream(path: path)
    }

    var length: Int64 {
        if let known = reader.info.frameCount ?? counted { return known }
        // A failure here occurs again when the file is read, and is reported then.
        let count = (try? MediaReader.countFrames(of: Self.stream(path))) ?? 0
        counted = count
        return count
    }

    /// Chooses the format that is read in.
    func setClient(_ format: AudioStreamBasicDescription) throws(SyrinxError) {
        conversion = try AudioConversion(from: native, to: format)
        client = format
        try seek(to: position)
    }

    func seek(to frame: Int64) throws(SyrinxError) {
        try conversion.reset()
        hasEnded = false
        try reader.seek(toFrame: frame)
        position = reader.position
    }

    /// Fills `list` with up to `count` frames of the client's format.
    func read(_ count: Int, into list: UnsafeMutableAudioBufferListPointer) throws(SyrinxError) -> Int {
        var done = 0
        while done < count {
            done += conversion.pull(into: list, from: done, count: count - done)
            if done == count || hasEnded { break }
            let wanted = min(scratch.capacity, conversion.inputFrameCountPerPush)
            let got = try reader.read(into: UnsafePointer(scratch.channels), frameCount: wanted)
            if got == 0 {
                hasEnded = true
                try conversion.finish()
            } else {
                try push(got)
            }
        }
        position = position.addingClamped(
            Int64(clamped: (Double(done) * native.mSampleRate / client.mSampleRate).rounded())
        )
        return done
    }

    private func push(_ count: Int) throws(SyrinxError) {
        let list = scratch.bufferList(channelCount: Int(native.mChannelsPerFrame))
        defer { list.unsafeMutablePointer.deallocate() }
        try conversion.push(list, frameCount: count)
    }
}
