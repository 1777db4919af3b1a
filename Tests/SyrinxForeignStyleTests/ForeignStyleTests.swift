import AVFoundation
import SyrinxTestSupport
import Testing

/// Programs that are written as for Apple's systems, with the imports that they have there: they play what `ffmpeg` decodes,
/// sample for sample.
@Suite struct ForeignStyleTests {
    /// Renders until `count` frames have come, interleaved.
    private func render(_ engine: AVAudioEngine, _ count: Int, _ feed: () throws -> Void) throws -> [Float] {
        let format = engine.manualRenderingFormat
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: format, frameCapacity: engine.manualRenderingMaximumFrameCount)
        )
        var samples: [Float] = []
        while samples.count < 2 * count {
            try feed()
            let frames = min(1024, AVAudioFrameCount(count - samples.count / 2))
            #expect(try engine.renderOffline(frames, to: buffer) == .success)
            let channels = try #require(buffer.floatChannelData)
            for frame in 0..<Int(buffer.frameLength) { samples += [channels[0][frame], channels[1][frame]] }
        }
        return samples
    }

    /// Compares without writing out all samples where they differ.
    private func isSame(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Bool { a.elementsEqual(b) }

    private func begin(_ engine: AVAudioEngine) throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44100, channels: 2))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        try engine.start()
    }

    @Test(
        "A property listener, a converter with a callback, and scheduled buffers behind a time-pitch unit",
        arguments: Recording.all
    )
    func listenerPlayer(_ recording: Recording) throws {
        let (bytes, expected) = try recording.make()
        let program = ListenerPlayer()
        for piece in bytes.pieces(of: 4096) { try program.file.parse(piece) }
        try #require(program.file.isReady)
        if program.file.packetCount > 0 { #expect(program.file.packetCount == UInt64(program.file.packets.count)) }
        try program.makeConverter()
        program.timePitch.rate = 1
        program.timePitch.pitch = 0
        try begin(program.engine)
        program.playerNode.play()
        var isAtEnd = false
        let samples = try render(program.engine, expected.count / 2 + 3000) {
            guard !isAtEnd, let buffer = try program.read(8192) else { return isAtEnd = true }
            program.playerNode.scheduleBuffer(buffer)
        }
        #expect(isSame(samples.prefix(expected.count), expected[...]))
        #expect(samples.dropFirst(expected.count).allSatisfy { $0 == 0 })
    }

    @Test("Compressed buffers of eight packets, and a converter with an input block", arguments: Recording.all)
    func compressedPlayer(_ recording: Recording) throws {
        let (bytes, expected) = try recording.make()
        let program = CompressedPlayer()
        for piece in bytes.pieces(of: 1000) { try program.file.parse(piece) }
        try begin(program.engine)
        program.player.play()
        var isAtEnd = false
        let samples = try render(program.engine, expected.count / 2) {
            guard !isAtEnd, let buffer = try program.nextBuffer() else { return isAtEnd = true }
            program.player.scheduleBuffer(buffer, completionHandler: nil)
        }
        #expect(isSame(samples[...], expected[...]))
    }

    @Test("Packets that are converted as they come, and a render callback", arguments: Recording.all)
    func ringPlayer(_ recording: Recording) throws {
        let (bytes, expected) = try recording.make()
        let program = RingPlayer()
        for piece in bytes.pieces(of: 1777) { #expect(program.parse(piece) == noErr) }
        #expect(program.failure == noErr)
        #expect(program.framesInRing == expected.count / 2)
        try begin(program.engine)
        let samples = try render(program.engine, expected.count / 2) {}
        #expect(isSame(samples[...], expected[...]))
    }

    @Test("A seek goes on with the packet that was asked for", arguments: Recording.all.filter { $0.name != "a.wav" })
    func ringPlayerSeeks(_ recording: Recording) throws {
        let (bytes, expected) = try recording.make()
        let program = RingPlayer()
        for piece in bytes.pieces(of: 1777) { #expect(program.parse(piece) == noErr) }
        let perPacket = Int(program.format.mFramesPerPacket)
        try #require(perPacket > 0)
        let target = 12
        let offset = Int(try #require(program.seek(toPacket: Int64(target))))
        for piece in bytes.subdata(in: offset..<bytes.count).pieces(of: 1777) { #expect(program.parse(piece) == noErr) }
        #expect(program.failure == noErr)
        let rest = expected.count / 2 - target * perPacket
        try #require(program.framesInRing == rest)
        try begin(program.engine)
        let samples = try render(program.engine, rest) {}
        // Frames of MP3 and AAC lean on those before them: up to nine of a low bit rate hold bits of the next one.
        let skip = recording.name == "a.flac" ? 0 : 10 * perPacket
        #expect(isSame(samples.dropFirst(2 * skip), expected.suffix(2 * (rest - skip))))
    }
}
