internal import CoreAudioTypes
public import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Converts audio between formats: sample types, sample rates, channel counts, and compressed packets in both
/// directions.
///
/// A conversion without a change of rate is bit-exact if the output format can represent the input. A change of rate
/// keeps frame 0 at frame 0, and the duration to the nearest frame. Changing a setting restarts the conversion. Any
/// thread may call the converter; calls are serialized, so the input block must not call its own converter.
///
/// This reads a file as 16 kHz mono, and throws if the file is truncated or damaged:
///
/// ```swift
/// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "talk.mp3"))
/// let mono = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1)!
/// let converter = AVAudioConverter(from: file.processingFormat, to: mono)!
/// converter.downmix = true
/// let input = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 8192)!
/// let output = AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 8192)!
/// var samples: [Float] = []
/// var readError: (any Error)?
/// var status = AVAudioConverterOutputStatus.haveData
/// while status == .haveData {
///     var error: NSError?
///     status = converter.convert(to: output, error: &error) { _, inputStatus in
///         do {
///             try file.read(into: input)
///         } catch {
///             readError = error
///             input.frameLength = 0
///         }
///         guard input.frameLength > 0 else {
///             inputStatus.pointee = .endOfStream
///             return nil
///         }
///         inputStatus.pointee = .haveData
///         return input
///     }
///     if let error = readError ?? error { throw error }
///     samples += UnsafeBufferPointer(start: output.floatChannelData![0], count: Int(output.frameLength))
/// }
/// ```
open class AVAudioConverter: NSObject, @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state.

    /// The format of the input.
    public let inputFormat: AVAudioFormat
    /// The format of the output.
    public let outputFormat: AVAudioFormat

    private let lock = NSRecursiveLock()
    private var conversion: AudioConversion?
    private var settings = ConverterSettings()
    private var hasEnded = false
    private let encodedCookie: Data?
    private let encoderLead: Int

    /// Creates a converter from one format to another; `nil` if the conversion is not possible.
    ///
    /// The result is `nil` if both formats are compressed, if no encoder or decoder exists, or if the formats cannot be
    /// converted. A compressed input without a magic cookie is not checked yet: set `magicCookie` first if the codec
    /// needs it.
    public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
        inputFormat = fromFormat
        outputFormat = toFormat
        var initial = ConverterSettings()
        initial.magicCookie = fromFormat.magicCookie
        settings = initial
        // The magic cookie of a compressed input may be set later.
        let description = toFormat.streamDescription.pointee
        if PCMLayout(description) == nil {
            guard PCMLayout(fromFormat.streamDescription.pointee) != nil,
                let encoder = try? PacketEncoder(description, bitRate: nil)
            else { return nil }
            encodedCookie = encoder.magicCookie.isEmpty ? nil : Data(encoder.magicCookie)
            encoderLead = encoder.leadingFrames
        } else {
            encodedCookie = nil
            encoderLead = 0
        }
        super.init()
        let isDecoder = PCMLayout(fromFormat.streamDescription.pointee) == nil
        guard (try? made()) != nil || (isDecoder && initial.magicCookie == nil) else { return nil }
    }

    // MARK: Settings

    /// The index of the input channel for each output channel; −1 for silence.
    ///
    /// By default each output channel has the input channel with the same index, mono goes to all channels, and other
    /// channels are silent. From stereo to mono only the left channel is used; see `downmix`.
    open var channelMap: [NSNumber] {
        get {
            lock.withLock {
                let inputs = Int(inputFormat.channelCount)
                let usual = (0..<Int(outputFormat.channelCount)).map { inputs == 1 ? 0 : $0 < inputs ? $0 : -1 }
                return (settings.channelMap ?? usual).map { NSNumber(value: $0) }
            }
        }
        set { change { $0.channelMap = newValue.map(\.intValue) } }
    }

    /// The magic cookie: data that a decoder needs in addition to the format, or that an encoder has produced.
    open var magicCookie: Data? {
        get { lock.withLock { settings.magicCookie ?? encodedCookie } }
        set { change { $0.magicCookie = newValue } }
    }

    /// Whether a change of the channel count mixes by loudspeaker positions (ITU-R BS.775); default `false`.
    open var downmix: Bool {
        get { lock.withLock { settings.downmix } }
        set { change { $0.downmix = newValue } }
    }

    /// Whether the converter dithers; has no effect.
    ///
    /// Samples that lose bits are rounded.
    open var dither: Bool {
        get { lock.withLock { settings.dither } }
        set { change { $0.dither = newValue } }
    }

    /// The quality of sample rate conversion, as the raw value of an `AVAudioQuality`; `high` by default.
    ///
    /// The length of the filter is 16 taps with `min`, then 32, 64, 128, and 256 with `max`.
    open var sampleRateConverterQuality: Int {
        get { lock.withLock { settings.quality } }
        set { change { $0.quality = newValue } }
    }

    /// The name of the sample rate conversion algorithm; all names select the same algorithm.
    open var sampleRateConverterAlgorithm: String? {
        get { lock.withLock { settings.algorithm } }
        set { change { $0.algorithm = newValue } }
    }

    /// The treatment of the first and last frames in a sample rate conversion; default `normal`.
    open var primeMethod: AVAudioConverterPrimeMethod {
        get { lock.withLock { settings.primeMethod } }
        set { change { $0.primeMethod = newValue } }
    }

    /// The frames at both ends that a conversion needs or adds: the length of the resampling filter, or the encoder's
    /// delay.
    open var primeInfo: AVAudioConverterPrimeInfo {
        lock.withLock {
            let reach = AVAudioFrameCount((try? made())?.filterReach ?? 0)
            return AVAudioConverterPrimeInfo(
                leadingFrames: encoderLead > 0 ? AVAudioFrameCount(encoderLead) : reach,
                trailingFrames: reach
            )
        }
    }

    /// The bit rate of the encoder in bits per second; 0 selects the encoder's default.
    open var bitRate: Int {
        get { lock.withLock { settings.bitRate ?? 0 } }
        set { change { $0.bitRate = newValue > 0 ? newValue : nil } }
    }

    /// The maximum size in bytes of a packet from the encoder.
    open var maximumOutputPacketSize: Int {
        let description = outputFormat.streamDescription.pointee
        guard PCMLayout(description) == nil else { return Int(description.mBytesPerPacket) }
        // Lossless packets can be a little larger than the samples in them; lossy ones end at 1,536 bytes a channel
        // (AAC).
        return 1536 * Int(outputFormat.channelCount) + 5 * Int(outputFormat.channelCount) * 4608
    }

    private func change(_ body: (inout ConverterSettings) -> Void) {
        lock.withLock {
            body(&settings)
            conversion = nil
        }
    }

    private func made() throws(SyrinxError) -> AudioConversion {
        if let conversion { return conversion }
        let made = try AudioConversion(
            from: inputFormat.streamDescription.pointee,
            to: outputFormat.streamDescription.pointee,
            settings: settings.conversion
        )
        conversion = made
        return made
    }

    // MARK: Converting

    /// Clears the internal state, so that you can convert another signal.
    open func reset() {
        lock.withLock {
            conversion = nil
            hasEnded = false
        }
    }

    /// Converts a complete buffer of samples into another format with the same sample rate.
    /// - Throws: `AVAudioConverterError`: `usage.needsInputBlock` if the sample rate changes, if a format is
    ///   compressed, or if the output is too small; `usage.badBuffer` for buffers of other formats.
    open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
        try lock.withLock {
            try check(inputBuffer, outputBuffer)
            guard inputFormat.sampleRate == outputFormat.sampleRate,
                outputBuffer.frameCapacity >= inputBuffer.frameLength
            else {
                let message = "A conversion of the sample rate, or into a smaller buffer, needs an input block."
                throw AVAudioConverterError(.needsInputBlock, message)
            }
            do throws(SyrinxError) {
                let conversion = try made()
                try conversion.push(Self.list(inputBuffer), frameCount: Int(inputBuffer.frameLength))
                let count = conversion.pull(
                    into: Self.list(outputBuffer),
                    from: 0,
                    count: Int(inputBuffer.frameLength)
                )
                outputBuffer.frameLength = AVAudioFrameCount(count)
            } catch {
                throw Self.failure(error)
            }
        }
    }

    /// Fills a buffer with output, and calls `inputBlock` for input as needed.
    ///
    /// The capacity of the output is the amount requested. Input that is not yet converted is kept for the next call.
    /// - Parameters:
    ///   - outputBuffer: An `AVAudioPCMBuffer`, or an `AVAudioCompressedBuffer` if the output is compressed.
    ///   - outError: Receives an `AVAudioConverterError` as an `NSError` if the status is `error`.
    ///   - inputBlock: Called on this thread, and not again after it has returned `endOfStream`.
    @discardableResult
    open func convert(
        to outputBuffer: AVAudioBuffer,
        error outError: NSErrorPointer,
        withInputFrom inputBlock: AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus {
        lock.withLock {
            do {
                guard outputBuffer.format == outputFormat else { throw wrongFormat(outputBuffer, outputFormat) }
                var output = ConverterOutput(outputBuffer)
                return try fill(&output, inputBlock)
            } catch {
                outError?.pointee = error as NSError
                return .error
            }
        }
    }

    private func fill(
        _ output: inout ConverterOutput,
        _ block: AVAudioConverterInputBlock
    ) throws -> AVAudioConverterOutputStatus {
        let conversion: AudioConversion
        do throws(SyrinxError) { conversion = try made() } catch { throw Self.failure(error) }
        while true {
            output.take(from: conversion)
            if output.isFull { return .haveData }
            if hasEnded { return output.isEmpty ? .endOfStream : .haveData }
            var status = AVAudioConverterInputStatus.noDataNow
            let wanted = output.room(at: inputFormat, outputFormat)
            let buffer = block(wanted, &status)
            do throws(SyrinxError) {
                switch status {
                case .haveData:
                    guard let buffer else { return .inputRanDry }
                    try push(buffer, conversion)
                case .noDataNow: return .inputRanDry
                case .endOfStream:
                    hasEnded = true
                    try conversion.finish()
                }
            } catch {
                throw Self.failure(error)
            }
        }
    }

    private func push(_ buffer: AVAudioBuffer, _ conversion: AudioConversion) throws(SyrinxError) {
        if let samples = buffer as? AVAudioPCMBuffer, samples.format.isLike(inputFormat) {
            try conversion.push(Self.list(samples), frameCount: Int(samples.frameLength))
        } else if let packets = buffer as? AVAudioCompressedBuffer {
            let bytes = UnsafeRawBufferPointer(start: packets.data, count: Int(packets.byteLength))
            let size = Int(packets.format.streamDescription.pointee.mBytesPerPacket)
            for index in 0..<Int(packets.packetCount) {
                let place = index.multipliedClamped(by: size)
                let start = packets.packetDescriptions.map { Int($0[index].mStartOffset) } ?? place
                let count = packets.packetDescriptions.map { Int($0[index].mDataByteSize) } ?? size
                guard start >= 0, start <= bytes.count, count <= bytes.count - start else { break }
                try conversion.push(packet: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            }
        } else {
            let message = "The input block returned \(buffer.format), but the converter needs \(inputFormat)."
            throw SyrinxError(SyrinxError.Code(rawValue: "usage.badBuffer"), message, name: "converter")
        }
    }

    private func check(_ input: AVAudioBuffer, _ output: AVAudioBuffer) throws {
        guard input.format.isLike(inputFormat) else { throw wrongFormat(input, inputFormat) }
        guard output.format.isLike(outputFormat) else { throw wrongFormat(output, outputFormat) }
    }

    private func wrongFormat(_ buffer: AVAudioBuffer, _ wanted: AVAudioFormat) -> AVAudioConverterError {
        AVAudioConverterError(.badBuffer, "The buffer has the format \(buffer.format), but \(wanted) is required.")
    }

    private static func failure(_ error: SyrinxError) -> AVAudioConverterError {
        AVAudioConverterError(error.code, error.message, underlying: error)
    }

    private static func list(_ buffer: AVAudioPCMBuffer) -> UnsafeMutableAudioBufferListPointer { buffer.list }
}

extension AVAudioFormat {
    /// Whether both formats have the same memory layout of samples.
    fileprivate func isLike(_ other: AVAudioFormat) -> Bool {
        let mine = streamDescription.pointee
        let theirs = other.streamDescription.pointee
        return mine.mSampleRate == theirs.mSampleRate && mine.mFormatID == theirs.mFormatID
            && mine.mFormatFlags == theirs.mFormatFlags && mine.mChannelsPerFrame == theirs.mChannelsPerFrame
            && mine.mBytesPerFrame == theirs.mBytesPerFrame
    }
}
