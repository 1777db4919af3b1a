import AVFoundation
import SyrinxTestSupport
import Testing

/// Programs in the way of synthesizer toolkits, which lead to the output node by a mixer of their own.
@Suite struct ToolkitEngineTests {
    private let toolkit = ToolkitEngine()
    private var engine: AVAudioEngine { toolkit.avEngine }
    private var format: AVAudioFormat { toolkit.format }

    @Test("What the toolkit puts in front of the output node is heard, and changed while it runs")
    func outputIsHeard() throws {
        toolkit.output = makeConstant(0.25, format)
        try toolkit.startTest()
        #expect(try toolkit.render(duration: 0.1).allSatisfy { $0 == 0.25 })
        toolkit.output = makeConstant(0.5, format)
        #expect(engine.isRunning)
        #expect(try toolkit.render(duration: 0.1).allSatisfy { $0 == 0.5 })
        toolkit.output = nil
        #expect(try toolkit.render(duration: 0.1).allSatisfy { $0 == 0 })
        // Stopped and started again.
        toolkit.output = makeConstant(0.75, format)
        engine.stop()
        try engine.start()
        #expect(try toolkit.render(duration: 0.1).allSatisfy { $0 == 0.75 })
    }

    @Test("Inputs are added to a mixer, taken from it, and detached and attached again while it runs")
    func inputsChange() throws {
        let mixer = AVAudioMixerNode()
        let sources = [0.125, 0.25, 0.5].map { makeConstant($0, format) }
        toolkit.output = mixer
        for source in sources { engine.attach(source) }
        mixer.add(sources[0], format: format)
        try toolkit.startTest()
        #expect(try toolkit.render(duration: 0.05).last == 0.125)
        mixer.add(sources[1], format: format)
        mixer.add(sources[2], format: format)
        #expect(try toolkit.render(duration: 0.05).last == 0.875)
        mixer.remove(sources[1], format: format)
        #expect(try toolkit.render(duration: 0.05).last == 0.625)
        engine.detach(sources[0])
        #expect(try toolkit.render(duration: 0.05).last == 0.5)
        engine.attach(sources[0])
        mixer.add(sources[0], format: format)
        #expect(try toolkit.render(duration: 0.05).last == 0.625)
        #expect(mixer.connectionCount == 2)
        // The mixer itself, with what is connected to it.
        engine.detach(mixer)
        #expect(try toolkit.render(duration: 0.05).last == 0)
        toolkit.output = mixer
        mixer.add(sources[2], format: format)
        #expect(try toolkit.render(duration: 0.05).last == 0.5)
    }

    @Test("A mixer has as many inputs as were connected, and one more for each way of a source")
    func manyConnections() throws {
        let (mixer, other) = (AVAudioMixerNode(), AVAudioMixerNode())
        toolkit.output = mixer
        engine.attach(other)
        let sources = (0..<16).map { _ in makeConstant(0.01, format) }
        for source in sources {
            engine.attach(source)
            mixer.add(source, format: format)
        }
        #expect(mixer.numberOfInputs == 16 && mixer.connectionCount == 16)
        other.add(sources[0], format: format)
        mixer.add(other, format: format)
        #expect(mixer.numberOfInputs == 17 && other.connectionCount == 1)
        #expect(engine.outputConnectionPoints(for: sources[0], outputBus: 0).count == 2)
        try toolkit.startTest()
        #expect(abs(try #require(toolkit.render(duration: 0.05).last) - 0.17) < 1e-5)
    }

    @Test("A track's length reads back as the greater of what was set and the end of its events")
    func trackLength() throws {
        var sequence: MusicSequence?
        var track: MusicTrack?
        NewMusicSequence(&sequence)
        defer { DisposeMusicSequence(sequence!) }
        MusicSequenceNewTrack(sequence!, &track)
        var note = MIDINoteMessage(channel: 0, note: 60, velocity: 90, releaseVelocity: 0, duration: 1)
        MusicTrackNewMIDINoteEvent(track!, 3, &note)
        func length(setting newValue: MusicTimeStamp) -> MusicTimeStamp {
            var value = newValue
            var size = UInt32(MemoryLayout<MusicTimeStamp>.size)
            MusicTrackSetProperty(track!, kSequenceTrackProperty_TrackLength, &value, size)
            value = 0
            MusicTrackGetProperty(track!, kSequenceTrackProperty_TrackLength, &value, &size)
            return value
        }
        #expect(length(setting: 2) == 4)
        #expect(length(setting: 16) == 16)
    }

    @Test("A player of a sequence knows its host times as soon as it plays")
    func hostTimes() throws {
        let sequencer = AVAudioSequencer(audioEngine: engine)
        // The one line that a program here has beyond its own.
        engine.outputDevice = NullOutput()
        toolkit.output = makeConstant(0, format)
        sequencer.createAndAppendTrack()
        try engine.start()
        defer { engine.stop() }
        try sequencer.start()
        var error: NSError?
        let (first, second) = (
            sequencer.hostTime(forBeats: 0, error: &error), sequencer.hostTime(forBeats: 8, error: &error)
        )
        #expect(error == nil && first > 0 && second > first)
        var beats = sequencer.beats(forHostTime: second, error: &error)
        #expect(error == nil && beats > 0)
        sequencer.stop()
        var player: MusicPlayer?
        NewMusicPlayer(&player)
        MusicPlayerSetSequence(player!, sequencer.musicSequence)
        MusicPlayerStart(player!)
        var isPlaying: DarwinBoolean = false
        MusicPlayerIsPlaying(player!, &isPlaying)
        var time: UInt64 = 0
        #expect(isPlaying.boolValue && MusicPlayerGetHostTimeForBeats(player!, 2, &time) == noErr && time > 0)
        #expect(MusicPlayerGetBeatsForHostTime(player!, time, &beats) == noErr && beats > 0)
        DisposeMusicPlayer(player!)
    }

    @Test("5.1 has its center and surrounds on a stereo output")
    func surround() throws {
        let layout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A)!
        let six = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: layout)
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: six)
        try toolkit.startTest()
        player.play()
        let root = Float(0.5).squareRoot()
        // L R C LFE Ls Rs, as they are heard on the left.
        for (channel, gain) in [1, 0, root, 0, root, 0].enumerated() {
            player.scheduleBuffer(AVAudioPCMBuffer(constant: 0.5, six, 4_410, channel: channel))
            let heard = try toolkit.render(duration: 0.1)
            #expect(heard.allSatisfy { abs($0 - 0.5 * gain) < 1e-6 }, "channel \(channel)")
        }
    }

    @Test("A loop that takes the place of another is no louder meanwhile")
    func interruption() throws {
        let device = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
        engine.outputDevice = device
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        try engine.start()
        defer { engine.stop() }
        player.scheduleBuffer(AVAudioPCMBuffer(constant: 0.8, format, 4_410), at: nil, options: .loops)
        player.play()
        #expect(device.render(frameCount: 2_000)[0].max() == 0.8)
        player.scheduleBuffer(
            AVAudioPCMBuffer(constant: 0.8, format, 4_410),
            at: nil,
            options: [.loops, .interrupts],
            completionHandler: nil
        )
        let replaced = device.render(frameCount: 2_000)[0]
        #expect(try #require(replaced.max()) < 0.801 && #require(replaced.min()) > 0.799)
        // Two players for the same host time, of which each tells how long it is until then.
        let now = player.lastRenderTime!
        player.stop()
        player.scheduleBuffer(AVAudioPCMBuffer(constant: 0.8, format, 4_410))
        player.play(at: AVAudioTime(hostTime: now.hostTime + AVAudioTime.hostTime(forSeconds: 0.1)))
        _ = device.render(frameCount: 441)
        let time = player.playerTime(forNodeTime: player.lastRenderTime!)!
        #expect(abs(time.sampleTime + 3_969) <= 1)
    }

    @Test("Errors of players and converters are those of the system, and a converter's answer may be left alone")
    func errorsAndConversions() throws {
        do {
            _ = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: "/no/such/sound.wav"))
            Issue.record("A player of no file was made.")
        } catch {
            let error = error as NSError
            #expect(error.domain == NSOSStatusErrorDomain && error.code == Int(kAudioFileUnspecifiedError))
        }
        let mono = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)!
        let converter = AVAudioConverter(from: format, to: mono)!
        let stereo = AVAudioPCMBuffer(constant: 0.5, format, 1_000, channel: 0)
        func converted() -> Float {
            let result = AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 1_000)!
            var isGiven = false
            converter.convert(to: result, error: nil) { _, status in
                status.pointee = isGiven ? .noDataNow : .haveData
                defer { isGiven = true }
                return isGiven ? nil : stereo
            }
            return result.floatChannelData![0][500]
        }
        // The left channel alone, and the mean of both only on demand.
        #expect(converted() == 0.5)
        converter.downmix = true
        converter.reset()
        #expect(converted() == 0.25)
    }
}
