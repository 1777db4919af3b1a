import AVFAudio
import CoreAudioTypes
import Foundation
import Testing

@Suite struct AudioConverterTests {
    private func format(
        _ common: AVAudioCommonFormat,
        _ rate: Double = 44100,
        _ channels: AVAudioChannelCount = 2,
        interleaved: Bool = false
    ) throws -> AVAudioFormat {
        try #require(
            AVAudioFormat(commonFormat: common, sampleRate: rate, channels: channels, interleaved: interleaved)
        )
    }

    private func empty(_ format: AVAudioFormat, _ capacity: Int) throws -> AVAudioPCMBuffer {
        try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(capacity)))
    }

    private func tone(_ rate: Double, _ frames: Int, _ frequency: Double = 997) -> [Float] {
        (0..<frames).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate)) }
    }

    private func filled(_ format: AVAudioFormat, _ samples: [Float]) throws -> AVAudioPCMBuffer {
        let buffer = try empty(format, samples.count)
        buffer.frameLength = buffer.frameCapacity
        let channels = try #require(buffer.floatChannelData)
        for channel in 0..<Int(format.channelCount) {
            for (frame, sample) in samples.enumerated() {
                channels[channel][frame * buffer.stride] = channel == 0 ? sample : -sample
            }
        }
        return buffer
    }

    /// Everything that comes out of `converter`, of its first channel, when it is given `input` in pieces.
    private func run(
        _ converter: AVAudioConverter,
        _ input: AVAudioPCMBuffer,
        piece: Int,
        room: Int,
        dryEvery: Int = .max
    ) throws -> (samples: [Float], statuses: [AVAudioConverterOutputStatus]) {
        var place = 0
        var calls = 0
        var all: [Float] = []
        var statuses: [AVAudioConverterOutputStatus] = []
        let source = try #require(input.floatChannelData)
        while statuses.count < 10_000 {
            let output = try empty(converter.outputFormat, room)
            var error: NSError?
            let status = converter.convert(to: output, error: &error) { _, status in
                calls += 1
                if calls % dryEvery == 0 {
                    status.pointee = .noDataNow
                    return nil
                }
                let count = min(piece, Int(input.frameLength) - place)
                guard count > 0, let next = try? empty(input.format, count) else {
                    status.pointee = .endOfStream
                    return nil
                }
                for channel in 0..<Int(input.format.channelCount) {
                    next.floatChannelData?[channel].update(from: source[channel] + place, count: count)
                }
                next.frameLength = AVAudioFrameCount(count)
                place += count
                status.pointee = .haveData
                return next
            }
            statuses.append(status)
            #expect(error == nil)
            let channels = try #require(output.floatChannelData)
            all += (0..<Int(output.frameLength)).map { channels[0][$0 * output.stride] }
            if status == .endOfStream || status == .error { break }
        }
        return (all, statuses)
    }

    @Test("Conversion between integer formats keeps every bit")
    func samplesKeepEveryBit() throws {
        let whole = try empty(try format(.pcmFormatInt32), 5)
        whole.frameLength = 5
        let values: [Int32] = [.min, -1, 0, 1, .max]
        let source = try #require(whole.int32ChannelData)
        for (frame, value) in values.enumerated() {
            source[0][frame] = value
            source[1][frame] = value / 3
        }
        let wide = try empty(try format(.pcmFormatFloat64, interleaved: true), 5)
        let widen = try #require(AVAudioConverter(from: whole.format, to: wide.format))
        try widen.convert(to: wide, from: whole)
        #expect(wide.frameLength == 5)
        let doubles = try #require(wide.audioBufferList.pointee.mBuffers.mData).assumingMemoryBound(to: Double.self)
        #expect((0..<5).map { doubles[2 * $0] } == values.map { Double($0) / 2_147_483_648 })
        let back = try empty(whole.format, 5)
        try #require(AVAudioConverter(from: wide.format, to: whole.format)).convert(to: back, from: wide)
        let result = try #require(back.int32ChannelData)
        #expect((0..<5).map { result[0][$0] } == values)
        #expect((0..<5).map { result[1][$0] } == values.map { $0 / 3 })
    }

    /// 24 bits, the most significant byte first, as AIFF has them.
    @Test("Samples of both byte orders are converted")
    func bytesInAnyOrder() throws {
        var description = AudioStreamBasicDescription(
            mSampleRate: 44100,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
            mBytesPerPacket: 3,
            mFramesPerPacket: 1,
            mBytesPerFrame: 3,
            mChannelsPerFrame: 1,
            mBitsPerChannel: 24,
            mReserved: 0
        )
        let big = try #require(AVAudioFormat(streamDescription: &description))
        let input = try filled(try format(.pcmFormatFloat32, 44100, 1), [0.5, -1, 1, 1.0 / 8_388_608, .nan])
        let output = try empty(big, 5)
        try #require(AVAudioConverter(from: input.format, to: big)).convert(to: output, from: input)
        let bytes = try #require(output.audioBufferList.pointee.mBuffers.mData).assumingMemoryBound(to: UInt8.self)
        let expected: [UInt8] = [0x40, 0, 0, 0x80, 0, 0, 0x7F, 0xFF, 0xFF, 0, 0, 1, 0, 0, 0]
        #expect((0..<15).map { bytes[$0] } == expected)
    }

    @Test(
        "A converted sample rate has the exact length and spectrum",
        arguments: [(44100.0, 48000.0), (48000, 16000), (8000, 44100)]
    )
    func rates(_ from: Double, _ to: Double) throws {
        let frames = 20_011
        let input = try filled(try format(.pcmFormatFloat32, from), tone(from, frames))
        let output = try format(.pcmFormatFloat32, to)
        let whole = try run(
            try #require(AVAudioConverter(from: input.format, to: output)),
            input,
            piece: frames,
            room: 4096
        )
        let expected = Int((Double(frames) * to / from).rounded())
        #expect(whole.samples.count == expected)
        #expect(whole.statuses.last == .endOfStream)
        #expect(whole.statuses.dropLast().allSatisfy { $0 == .haveData })
        // Where it was at the input, to less than a ten-thousandth, away from both ends.
        let ideal = tone(to, expected)
        let worst = (500..<expected - 500).map { abs(whole.samples[$0] - ideal[$0]) }.max() ?? 1
        #expect(worst < 1e-4, "\(worst)")
        // In whatever pieces it comes and goes.
        let converter = try #require(AVAudioConverter(from: input.format, to: output))
        let pieces = try run(converter, input, piece: 101, room: 333, dryEvery: 7)
        #expect(pieces.samples == whole.samples)
        #expect(pieces.statuses.contains(.inputRanDry))
        // Again from the start, as new.
        converter.reset()
        #expect(try run(converter, input, piece: 1024, room: 1024).samples == whole.samples)
    }

    @Test("The quality changes the filter, and the priming tells its reach")
    func qualityAndPriming() throws {
        let input = try filled(try format(.pcmFormatFloat32, 44100, 1), tone(44100, 9000, 18_000))
        let output = try format(.pcmFormatFloat32, 48000, 1)
        let converter = try #require(AVAudioConverter(from: input.format, to: output))
        let fine = try run(converter, input, piece: 9000, room: 9000).samples
        let reach = converter.primeInfo.leadingFrames
        #expect(reach == 64)
        converter.sampleRateConverterQuality = AVAudioQuality.min.rawValue
        converter.reset()
        let coarse = try run(converter, input, piece: 9000, room: 9000).samples
        #expect(coarse.count == fine.count)
        let ideal = tone(48000, fine.count, 18_000)
        let worst = { (samples: [Float]) in (500..<9000).map { abs(samples[$0] - ideal[$0]) }.max() ?? 1 }
        #expect(worst(fine) < 0.01)
        #expect(worst(coarse) > 2 * worst(fine))
        converter.sampleRateConverterQuality = AVAudioQuality.high.rawValue
        converter.primeMethod = .none
        converter.reset()
        let late = try run(converter, input, piece: 9000, room: 9000).samples
        let delay = Int((Double(reach) * 48000 / 44100).rounded())
        #expect(late.count == fine.count)
        #expect(late[..<delay].allSatisfy { $0 == 0 })
        #expect(Array(late[delay...]) == Array(fine[..<(fine.count - delay)]))
    }

    @Test("Channels are mixed and copied by the channel map")
    func channels() throws {
        let stereo = try filled(try format(.pcmFormatFloat32), [0.25, 0.5])
        let swapped = try empty(stereo.format, 2)
        let swap = try #require(AVAudioConverter(from: stereo.format, to: stereo.format))
        swap.channelMap = [1, -1]
        try swap.convert(to: swapped, from: stereo)
        let data = try #require(swapped.floatChannelData)
        #expect([data[0][0], data[0][1], data[1][0], data[1][1]] == [-0.25, -0.5, 0, 0])
        let mono = try format(.pcmFormatFloat32, 44100, 1)
        let one = try empty(mono, 2)
        // As it is, the first of them; mixed, both, which cancel each other here.
        let first = try #require(AVAudioConverter(from: stereo.format, to: mono))
        try first.convert(to: one, from: stereo)
        #expect(try #require(one.floatChannelData)[0][1] == 0.5)
        first.downmix = true
        first.reset()
        try first.convert(to: one, from: stereo)
        #expect(abs(try #require(one.floatChannelData)[0][1]) < 1e-6)
        let both = try #require(AVAudioConverter(from: mono, to: stereo.format))
        #expect(both.channelMap == [0, 0])
    }

    @Test("Fewer channels are the first ones of the input unless they are to be mixed down, also at another rate")
    func firstChannels() throws {
        // The right channel is the left one upside down, so that a mix of both would be silent.
        let stereo = try filled(try format(.pcmFormatFloat32), tone(44100, 4410))
        for sampleRate in [44100.0, 22050] {
            let mono = try format(.pcmFormatFloat32, sampleRate, 1)
            let converter = try #require(AVAudioConverter(from: stereo.format, to: mono))
            #expect(!converter.downmix && converter.channelMap == [0])
            let left = try run(converter, stereo, piece: 4410, room: 4410).samples
            #expect((left[1000..<2000].map(abs).max() ?? 0) > 0.2)
            converter.downmix = true
            converter.reset()
            let mixed = try run(converter, stereo, piece: 4410, room: 4410).samples
            #expect((mixed[1000..<2000].map(abs).max() ?? 1) < 1e-5)
        }
    }

    @Test(
        "Encoded sound decodes to its original length and shape",
        arguments: [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatFLAC, kAudioFormatOpus]
    )
    func thereAndBack(_ codec: AudioFormatID) throws {
        let frames = 30_000
        let input = try filled(try format(.pcmFormatFloat32, 48000), tone(48000, frames))
        var description = AudioStreamBasicDescription()
        description.mSampleRate = 48000
        description.mFormatID = codec
        description.mChannelsPerFrame = 2
        let compressed = try #require(AVAudioFormat(streamDescription: &description))
        let encoder = try #require(AVAudioConverter(from: input.format, to: compressed))
        var hasGiven = false
        var packets: [AVAudioCompressedBuffer] = []
        while packets.count < 1000 {
            let buffer = AVAudioCompressedBuffer(
                format: compressed,
                packetCapacity: 4,
                maximumPacketSize: encoder.maximumOutputPacketSize
            )
            var error: NSError?
            let status = encoder.convert(to: buffer, error: &error) { _, status in
                status.pointee = hasGiven ? .endOfStream : .haveData
                defer { hasGiven = true }
                return hasGiven ? nil : input
            }
            #expect(error == nil)
            if status != .haveData {
                #expect(status == .endOfStream)
                break
            }
            #expect(buffer.packetCount > 0)
            packets.append(buffer)
        }
        let decoder = try #require(AVAudioConverter(from: compressed, to: input.format))
        decoder.magicCookie = encoder.magicCookie
        var left = packets[...]
        let output = try empty(input.format, 2 * frames)
        var error: NSError?
        let status = decoder.convert(to: output, error: &error) { _, status in
            status.pointee = left.isEmpty ? .endOfStream : .haveData
            return left.popFirst()
        }
        #expect(status == .haveData)
        let lead = Int(encoder.primeInfo.leadingFrames)
        #expect(Int(output.frameLength) >= frames + (codec == kAudioFormatOpus ? 0 : lead))
        let result = try #require(output.floatChannelData)[0]
        let source = try #require(input.floatChannelData)[0]
        let isLossless = codec == kAudioFormatAppleLossless || codec == kAudioFormatFLAC
        let worst = (2000..<frames - 2000).map { abs(result[$0 + lead] - source[$0]) }.max() ?? 1
        #expect(worst <= (isLossless ? 1e-6 : 0.02), "\(worst)")
    }

    /// A packet of AAC at 44.1 kHz, stereo, for a decoder that takes it as it comes.
    private func packet(_ bytes: [UInt8]) throws -> AVAudioCompressedBuffer {
        var description = AudioStreamBasicDescription()
        description.mSampleRate = 44_100
        description.mFormatID = kAudioFormatMPEG4AAC
        description.mChannelsPerFrame = 2
        let format = try #require(AVAudioFormat(streamDescription: &description))
        let buffer = AVAudioCompressedBuffer(format: format, packetCapacity: 1, maximumPacketSize: bytes.count)
        buffer.data.copyMemory(from: bytes, byteCount: bytes.count)
        buffer.byteLength = UInt32(bytes.count)
        buffer.packetCount = 1
        return buffer
    }

    @Test("A magic cookie whose descriptors have any length at all is refused or decoded", arguments: 1...12)
    func cookieLengths(width: Int) throws {
        let input = try packet([0x21, 0x10, 4, 0x60, 0x8C, 0x1C])
        let output = try empty(format(.pcmFormatFloat32), 4096)
        for tag in [4, 5, 6] as [UInt8] {
            for digit in [0x01, 0x40, 0x7F] as [UInt8] {
                let length = [UInt8](repeating: 0x80 | digit, count: width - 1) + [digit]
                let decoder = try #require(AVAudioConverter(from: input.format, to: output.format))
                decoder.magicCookie = Data([3, 3, 0, 0, 0, tag] + length + [0x12, 0x10])
                var hasGiven = false
                var error: NSError?
                let status = decoder.convert(to: output, error: &error) { _, status in
                    status.pointee = hasGiven ? .endOfStream : .haveData
                    defer { hasGiven = true }
                    return hasGiven ? nil : input
                }
                #expect((status == .error) == (error != nil))
            }
        }
    }

    @Test("A packet that is said to lie outside its buffer is not read")
    func packetOutside() throws {
        let output = try empty(format(.pcmFormatFloat32), 4096)
        for (start, size) in [(Int64.max, 4), (Int64.max - 3, 4), (-1, 4), (.min, 4), (3, 4), (0, UInt32.max)]
            as [(Int64, UInt32)]
        {
            let input = try packet([0x21, 0x10, 4, 0x60, 0x8C, 0x1C])
            let descriptions = try #require(input.packetDescriptions)
            descriptions[0] = AudioStreamPacketDescription(
                mStartOffset: start,
                mVariableFramesInPacket: 0,
                mDataByteSize: size
            )
            let decoder = try #require(AVAudioConverter(from: input.format, to: output.format))
            decoder.magicCookie = Data([0x12, 0x10])
            var hasGiven = false
            var error: NSError?
            _ = decoder.convert(to: output, error: &error) { _, status in
                status.pointee = hasGiven ? .endOfStream : .haveData
                defer { hasGiven = true }
                return hasGiven ? nil : input
            }
            #expect(output.frameLength == 0, "from \(start), \(size) bytes")
        }
    }

    @Test("A converter refuses buffers of a wrong format")
    func wrongBuffersAreRefused() throws {
        let stereo = try format(.pcmFormatFloat32)
        let faster = try format(.pcmFormatFloat32, 48000)
        let converter = try #require(AVAudioConverter(from: stereo, to: faster))
        let input = try filled(stereo, [0, 0])
        let output = try empty(faster, 10)
        let simple = #expect(throws: AVAudioConverterError.self) { try converter.convert(to: output, from: input) }
        #expect(simple?.code == .needsInputBlock)
        var error: NSError?
        #expect(converter.convert(to: input, error: &error) { _, _ in nil } == .error)
        #expect(error?.code == -50)
        error = nil
        let status = converter.convert(to: output, error: &error) { _, status in
            status.pointee = .haveData
            return output
        }
        #expect(status == .error)
        #expect(error?.domain == NSOSStatusErrorDomain)
        var unknown = AudioStreamBasicDescription()
        unknown.mSampleRate = 44100
        unknown.mFormatID = 0x3F3F_3F3F
        unknown.mChannelsPerFrame = 2
        let strange = try #require(AVAudioFormat(streamDescription: &unknown))
        #expect(AVAudioConverter(from: stereo, to: strange) == nil)
    }
}
