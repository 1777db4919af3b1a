import AVFoundation
import SyrinxTestSupport
import Testing

@testable import syrinx_examples

/// The examples do what they say.
@Suite struct ExampleTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: directory.file(name)) }

    /// A mono file of 16-bit samples.
    private func write(_ samples: [Float], _ name: String) throws -> URL {
        let url = url(name)
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings)
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(samples.count))
        )
        buffer.frameLength = buffer.frameCapacity
        buffer.floatChannelData?[0].update(from: samples, count: samples.count)
        try file.write(from: buffer)
        file.close()
        return url
    }

    private func read(_ url: URL) throws -> [Float] {
        let file = try AVAudioFile(forReading: url)
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length))
        )
        try file.read(into: buffer)
        let channels = try #require(buffer.floatChannelData)
        return Array(UnsafeBufferPointer(start: channels[0], count: Int(buffer.frameLength)))
    }

    @Test("The strongest tone of samples is found") func theStrongestToneIsFound() {
        let samples = (0..<4096).map { Float(sin(2 * Double.pi * 1000 * Double($0) / 48_000)) }
        let frequency = strongestTone(in: samples, sampleRate: 48_000) ?? 0
        #expect(abs(frequency - 1000) < 48_000 / 4096)
        #expect(strongestTone(in: Array(samples.dropLast()), sampleRate: 48_000) == nil)
    }

    @Test("The synthesis example writes its tone")
    func synthesiseGivesTheTone() throws {
        try synthesise(frequency: 440, seconds: 1, to: url("tone.wav"))
        let samples = try read(url("tone.wav"))
        #expect(samples.count == 48_000)
        #expect(
            residualDecibels(
                sineWave(frequency: 440, sampleRate: 48_000, frameCount: 48_000, amplitude: 0.125),
                samples
            ) < -80
        )
    }

    @Test("The output unit example plays its tone")
    func outputUnitPlaysTheTone() throws {
        let device = ManualOutput()
        let tone = try #require(CalledTone(frequency: 440, device: device))
        let samples = device.render(frameCount: 48_000)
        let expected = sineWave(frequency: 440, sampleRate: 48_000, frameCount: 48_000, amplitude: 0.25)
        withExtendedLifetime(tone) { #expect(samples.allSatisfy { residualDecibels(expected, $0) < -80 }) }
    }

    @Test("The effect example raises the pitch and keeps the length")
    func effectRaisesThePitchAndKeepsTheLength() throws {
        let tone = sineWave(frequency: 1_000, sampleRate: 48_000, frameCount: 48_000)
        try changePitch(of: write(tone, "in.wav"), cents: 300, to: url("out.wav"))
        let samples = try read(url("out.wav"))
        #expect(samples.count == 48_000)
        let heard = toneFrequency(Array(samples[8_000..<40_768]), sampleRate: 48_000)
        #expect(abs(cents(from: 1_000, to: heard) - 300) < 1)
    }

    @Test("The voice example removes rumble, and makes loud and quiet parts more alike")
    func voiceIsTreated() throws {
        let rumble = sineWave(frequency: 20, sampleRate: 48_000, frameCount: 96_000, amplitude: 0.25)
        try treatVoice(write(rumble, "rumble.wav"), to: url("clean.wav"))
        #expect(levelDecibels(Array(try read(url("clean.wav"))[48_000...])) < levelDecibels(rumble) - 20)
        let voice = [0.5, 0.05].flatMap {
            sineWave(frequency: 1_000, sampleRate: 48_000, frameCount: 48_000, amplitude: $0)
        }
        try treatVoice(write(voice, "in.wav"), to: url("out.wav"))
        let samples = try read(url("out.wav"))
        let difference = levelDecibels(Array(samples[24_000..<48_000])) - levelDecibels(Array(samples[84_000...]))
        // 20 dB at first: 24 dB over the threshold become 9.1, and 4 dB become 3.3. The reverb moves one tone by up to 1.5 dB.
        #expect(abs(difference - 5.8) < 1.5, "\(difference) dB")
    }

    @Test("The circle example is heard on the right after a second, and on the left after three")
    func sourceGoesAround() throws {
        let noise = whiteNoise(frameCount: 4 * 48_000, amplitude: 0.25)
        try circle(write(noise, "in.wav"), to: url("out.wav"))
        let file = try AVAudioFile(forReading: url("out.wav"))
        let sound = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length))
        )
        try file.read(into: sound)
        let channels = try #require(sound.floatChannelData)
        func difference(at second: Int) -> Double {
            let sides = (0..<2).map { channel in
                levelDecibels(
                    Array(UnsafeBufferPointer(start: channels[channel] + second * 48_000 - 4_800, count: 9_600))
                )
            }
            return sides[1] - sides[0]
        }
        #expect(difference(at: 1) > 6)
        #expect(difference(at: 3) < -6)
    }

    @Test("The sequence example joins files without a gap")
    func sequenceJoinsWithoutAGap() throws {
        let pieces = (1...3).map { whiteNoise(frameCount: 10_000 + $0, seed: UInt64($0)) }
        let urls = try pieces.enumerated().map { try write($0.element, "\($0.offset).wav") }
        try playInSequence(urls, to: url("all.wav"))
        #expect(try read(url("all.wav")) == pieces.flatMap { $0 })
    }

    @Test("The seek example lands on the exact frame")
    func seekLandsOnTheFrame() throws {
        let noise = whiteNoise(frameCount: 20_001)
        try skipToTheMiddle(of: write(noise, "in.wav"), to: url("half.wav"))
        #expect(try read(url("half.wav")) == Array(noise[10_000...]))
    }

    @Test("A seek in the player example moves the reported time")
    func seekWhilePlayingMovesTheTime() throws {
        let noise = whiteNoise(frameCount: 96_000)
        let player = try SeekablePlayer(url: write(noise, "in.wav"))
        let format = player.file.processingFormat
        try player.engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        player.seek(to: 0)
        try player.engine.start()
        player.play()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096))
        _ = try player.engine.renderOffline(4096, to: buffer)
        #expect(player.currentFrame == 4096)
        player.seek(to: 50_000)
        // What was heard fades within these, and the time begins at the frame that was asked for.
        _ = try player.engine.renderOffline(4096, to: buffer)
        let position = Int(player.currentFrame)
        #expect((50_000...54_096).contains(position))
        _ = try player.engine.renderOffline(100, to: buffer)
        let channels = try #require(buffer.floatChannelData)
        #expect(Array(UnsafeBufferPointer(start: channels[0], count: 100)) == Array(noise[position..<position + 100]))
    }

    @Test("The meter example reports the levels of the file")
    func levelsAreThoseOfTheFile() throws {
        let loud = sineWave(frequency: 1_000, sampleRate: 48_000, frameCount: 24_000, amplitude: 0.5)
        let quiet = sineWave(frequency: 1_000, sampleRate: 48_000, frameCount: 24_000, amplitude: 0.05)
        let found = try levels(of: write(loud + quiet, "in.wav"))
        #expect(found.count == 10)
        // A sine's root mean square lies 3.01 dB below its peak.
        #expect(found.prefix(5).allSatisfy { abs($0 + 9.03) < 0.05 })
        #expect(found.suffix(5).allSatisfy { abs($0 + 29.03) < 0.05 })
    }

    @Test("The tremolo example changes the level five times a second")
    func tremoloChangesTheLevelFiveTimesASecond() throws {
        let tone = sineWave(frequency: 1_000, sampleRate: 48_000, frameCount: 48_000)
        try addTremolo(to: write(tone, "in.wav"), depth: 1, output: url("out.wav"))
        let samples = try read(url("out.wav"))
        #expect(samples.count == 48_000)
        // The gain is 0.5 at first, and 0 after a quarter of a period of 200 ms.
        let quiet = samples[2_352..<2_448].map(abs).max() ?? 1
        let loud = samples[7_152..<7_248].map(abs).max() ?? 0
        let peak = tone.map(abs).max() ?? 1
        #expect(quiet < 0.01 * peak && loud > 0.98 * peak)
    }

    @Test("The playing example returns when the file has been heard")
    func playReturnsWhenTheFileHasBeenHeard() async throws {
        let tone = sineWave(frequency: 1_000, sampleRate: 48_000, frameCount: 4_800)
        let engine = AVAudioEngine()
        engine.outputDevice = NullOutput()
        let began = ContinuousClock.now
        try await play(write(tone, "in.wav"), with: engine)
        // The file is 100 ms long, and the output keeps real time.
        #expect(began.duration(to: .now) >= .milliseconds(100) && !engine.isRunning)
    }
}
