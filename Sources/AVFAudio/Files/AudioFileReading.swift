internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The reading part of `AVAudioFile`.
///
/// One thread at a time.
final class AudioFileReading {
    let fileFormat: AVAudioFormat
    let processingFormat: AVAudioFormat
    /// The frame that the next read begins with; anything may be set, and is gone to by the next read.
    var position: Int64 = 0

    private let open: () throws(SyrinxError) -> any ByteStream
    private let reader: MediaReader
    private let form: PCMLayout
    private let scratch: FloatPlanes<Float>?
    private var counted: Int64?

    private static let scratchFrames = 4096

    /// Opens a recording.
    /// - Parameters:
    ///   - name: The name of the file in errors.
    ///   - common: The sample type of the processing format; `nil` selects the engine's own.
    ///   - open: Opens the byte stream. Called again if the frames have to be counted.
    init(
        name: String,
        common: (format: AVAudioCommonFormat, isInterleaved: Bool)?,
        open: @escaping () throws(SyrinxError) -> any ByteStream
    ) throws(SyrinxError) {
        self.open = open
        reader = try MediaReader.open(open())
        let info = reader.info
        var description = info.streamDescription
        let layout = ChannelLayoutNames.layout(named: info.channelLayout, channelCount: info.channelCount)
        guard let layout, let fileFormat = AVAudioFormat(streamDescription: &description, channelLayout: layout) else {
            throw SyrinxError(.unsupported, "Its channel layout is not supported.", name: name)
        }
        self.fileFormat = fileFormat
        processingFormat = AVAudioFormat(
            commonFormat: common?.format ?? .pcmFormatFloat32,
            sampleRate: info.sampleRate,
            interleaved: common?.isInterleaved ?? false,
            channelLayout: layout
        )
        guard let form = PCMLayout(processingFormat.streamDescription.pointee) else {
            throw SyrinxError(.unsupported, "It cannot be read in a format that is not a common one.", name: name)
        }
        self.form = form
        scratch =
            processingFormat.isStandard
            ? nil : FloatPlanes(channelCount: info.channelCount, capacity: Self.scratchFrames)
    }

    /// The number of frames, as far as it is known without counting.
    var knownLength: Int64 { counted ?? reader.info.frameCount ?? reader.position }

    /// The number of frames in the file.
    ///
    /// If the container does not state it, the packets are counted once.
    var length: Int64 {
        if counted == nil, reader.info.frameCount == nil {
            // A failure here occurs again when the file is read, and is reported then.
            counted = (try? MediaReader.countFrames(of: open())) ?? reader.position
        }
        return knownLength
    }

    /// Fills `buffer` with up to `count` frames, fewer only at the end of the file, and sets its length.
    func read(into buffer: AVAudioPCMBuffer, count: Int) throws(SyrinxError) {
        buffer.frameLength = 0
        if position != reader.position { try reader.seek(toFrame: position) }
        guard position == reader.position else { return }
        var done = 0
        while done < count {
            let got: Int
            do throws(SyrinxError) {
                let room = count - done
                got =
                    if let scratch {
                        try convert(scratch, into: buffer, at: done, room)
                    } else {
                        try direct(into: buffer, at: done, room)
                    }
            } catch {
                // Return the frames read so far. The next read fails again and reports the error.
                if done == 0 { throw error }
                break
            }
            if got == 0 { break }
            done += got
            position += Int64(got)
            buffer.frameLength = AVAudioFrameCount(done)
        }
    }

    private func direct(into buffer: AVAudioPCMBuffer, at place: Int, _ room: Int) throws(SyrinxError) -> Int {
        guard let channels = buffer.floatChannelData else { return 0 }
        guard place > 0 else { return try reader.read(into: channels, frameCount: room) }
        let count = Int(processingFormat.channelCount)
        return try withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: count) {
            (rest) throws(SyrinxError) -> Int in
            for channel in 0..<count { rest[channel] = channels[channel] + place }
            guard let base = rest.baseAddress else { return 0 }
            return try reader.read(into: base, frameCount: room)
        }
    }

    private func convert(
        _ scratch: FloatPlanes<Float>,
        into buffer: AVAudioPCMBuffer,
        at place: Int,
        _ room: Int
    ) throws(SyrinxError) -> Int {
        let got = try reader.read(into: scratch.channels, frameCount: min(room, scratch.capacity))
        form.store(UnsafePointer(scratch.channels), at: 0, count: got, into: buffer.list, from: place)
        return got
    }
}
