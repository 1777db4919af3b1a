internal import CoreAudioTypes
internal import CoreMedia
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// A part of an audio source, converted to another format.
///
/// Use it on one thread at a time.
final class ConvertedSound {
    /// The output format.
    let output: AudioStreamBasicDescription
    /// The first frame of the source that is read.
    let firstFrame: Int64
    private let source: any SoundSource
    private let conversion: AudioConversion
    private let planes: FloatPlanes<Float>
    private let input: UnsafeMutableAudioBufferListPointer
    /// The number of source frames left to read.
    private var left: Int64
    /// The number of output frames left to return.
    private var limit: Int64
    private var isDrained = false

    /// - Parameters:
    ///   - frames: The part of the source, in frames of the source.
    ///   - limit: The maximum number of output frames.
    ///   - speed: The playback speed; the pitch changes with it.
    init(
        _ source: any SoundSource,
        to output: AudioStreamBasicDescription,
        frames: Range<Int64>,
        limit: Int64 = .max,
        speed: Double = 1
    ) throws {
        self.source = source
        self.output = output
        self.limit = limit
        firstFrame = frames.lowerBound
        left = frames.upperBound.subtractingClamped(frames.lowerBound)
        var settings = AudioConversion.Settings()
        settings.downmixes = true
        let planar = AudioStreamBasicDescription.planarFloat(source.sampleRate * speed, source.channelCount)
        conversion = try AudioConversion(from: planar, to: output, settings: settings)
        planes = FloatPlanes(channelCount: source.channelCount, capacity: conversion.inputFrameCountPerPush)
        input = AudioBufferList.allocate(maximumBuffers: source.channelCount)
        if firstFrame > 0 { try source.seek(toFrame: firstFrame) }
    }

    deinit { input.unsafeMutablePointer.deallocate() }

    /// Copies up to `count` frames into `list`, starting at its frame `frame`; returns the number copied, which is
    /// smaller only at the end.
    func read(into list: UnsafeMutableAudioBufferListPointer, from frame: Int, count: Int) throws -> Int {
        var done = 0
        let wanted = Int(clamping: min(Int64(count), limit))
        while done < wanted {
            let pulled = conversion.pull(into: list, from: frame + done, count: wanted - done)
            done += pulled
            guard pulled == 0 else { continue }
            if isDrained { break }
            try push()
        }
        limit = limit.subtractingClamped(Int64(done))
        return done
    }

    /// Reads more of the source, or drains the converter at its end.
    private func push() throws {
        let wanted = Int(clamping: min(Int64(planes.capacity), left))
        let count = wanted > 0 ? try source.read(into: UnsafePointer(planes.channels), frameCount: wanted) : 0
        guard count > 0 else {
            isDrained = true
            return try conversion.finish()
        }
        left = left.subtractingClamped(Int64(count))
        for channel in 0..<planes.channelCount {
            input[channel] = AudioBuffer(
                mNumberChannels: 1,
                mDataByteSize: UInt32(count * MemoryLayout<Float>.size),
                mData: UnsafeMutableRawPointer(planes.channels[channel])
            )
        }
        try conversion.push(input, frameCount: count)
    }
}

extension CMTimeRange {
    /// Returns the frames of the range at a sample rate, rounded to the nearest frame; the end may be infinite.
    func frames(_ sampleRate: Double) -> Range<Int64> {
        let first = start.isNumeric ? Int64(clamped: (max(start.seconds, 0) * sampleRate).rounded()) : 0
        let last = end.isNumeric ? Int64(clamped: (end.seconds * sampleRate).rounded()) : Int64.max
        return first..<max(first, last)
    }
}

extension AudioStreamBasicDescription {
    /// Returns the format of deinterleaved 32-bit floats.
    static func planarFloat(_ sampleRate: Double, _ channelCount: Int) -> AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: sampleRate,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
            mBytesPerPacket: 4,
            mFramesPerPacket: 1,
            mBytesPerFrame: 4,
            mChannelsPerFrame: UInt32(channelCount),
            mBitsPerChannel: 32,
            mReserved: 0
        )
    }
}

/// A buffer list that owns its memory.
///
/// Use it on one thread at a time.
final class SampleMemory {
    let list: UnsafeMutableAudioBufferListPointer

    /// Allocates memory for `capacity` frames of an uncompressed format.
    init(_ format: AudioStreamBasicDescription, capacity: Int) {
        let isSplit = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
        let count = isSplit ? max(Int(format.mChannelsPerFrame), 1) : 1
        list = AudioBufferList.allocate(maximumBuffers: count)
        let size = max(capacity * Int(format.mBytesPerFrame), 1)
        for index in 0..<count {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
            list[index] = AudioBuffer(
                mNumberChannels: isSplit ? 1 : format.mChannelsPerFrame,
                mDataByteSize: UInt32(clamping: size),
                mData: memory
            )
        }
    }

    deinit {
        for buffer in list { buffer.mData?.deallocate() }
        list.unsafeMutablePointer.deallocate()
    }

    /// Returns the samples of a channel; for deinterleaved floats only.
    func floats(_ channel: Int) -> UnsafeMutablePointer<Float>? {
        list[channel].mData?.assumingMemoryBound(to: Float.self)
    }

    /// Calls `body` with pointers to the samples of all channels; for deinterleaved floats only.
    func withFloats<Result>(
        _ body: (UnsafePointer<UnsafeMutablePointer<Float>>) throws -> Result
    ) rethrows -> Result {
        try list.indices.compactMap { floats($0) }.withUnsafeBufferPointer { pointers in
            guard let base = pointers.baseAddress else { preconditionFailure("a format has at least one channel") }
            return try body(base)
        }
    }
}
