import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Players of a file, rendered by an engine without a device.
@Suite struct AudioPlayerTests {
    private let folder: ScratchDirectory

    init() throws { folder = try ScratchDirectory() }

    /// Notes the calls of a delegate.
    private final class Listener: NSObject, AVAudioPlayerDelegate, @unchecked Sendable {
        // Unchecked: the calls are behind a lock.
        let calls = Mutex<[String]>([])

        func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
            calls.withLock { $0.append("finished \(flag) at \(player.currentTime)") }
        }

        func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
            calls.withLock { $0.append("error \((error as? AVAudioRecordingError)?.code.rawValue ?? "")") }
        }

        func wait(_ count: Int) -> [String] {
            waitUntil(timeout: 20) { calls.withLock { $0.count >= count } }
            return calls.withLock { $0 }
        }
    }

    private func url(_ name: String, _ channels: [[Float]]) throws -> URL {
        let url = folder.url(name)
        try write(channels, to: url)
        return url
    }

    @Test("A player gives the samples of its file, tells its end once, and is back at 0")
    func playsAFileToItsEnd() async throws {
        let (left, right) = (noise(50_000), noise(50_000, channel: 1))
        let rig = try OfflineRig()
        let player = try AVAudioPlayer(contentsOf: url("a.wav", [left, right]), engine: rig.engine)
        let listener = Listener()
        player.delegate = listener
        #expect(player.numberOfChannels == 2 && player.duration == 50_000 / 44_100.0 && !player.isPlaying)
        #expect(player.prepareToPlay())
        #expect(player.play())
        #expect(player.isPlaying)
        let output = try rig.render(22_050)
        #expect(abs(player.currentTime - 0.5) < 1e-9)
        let rest = try rig.render(40_000)
        #expect(output[0] + rest[0][..<27_950] == left)
        #expect(output[1] + rest[1][..<27_950] == right)
        #expect(listener.wait(1) == ["finished true at 0.0"])
        #expect(!player.isPlaying)
        // And again, from the beginning.
        #expect(player.play())
        #expect(try rig.render(1_000)[0] == Array(left[..<1_000]))
    }

    @Test("Loops follow without a gap, in whatever blocks they are rendered", arguments: [64, 4_096])
    func loopsAreGapless(_ block: Int) throws {
        let samples = noise(7_001)
        let rig = try OfflineRig(channels: 1)
        let player = try AVAudioPlayer(contentsOf: url("a.wav", [samples]), engine: rig.engine)
        let listener = Listener()
        player.delegate = listener
        player.numberOfLoops = 2
        player.currentTime = 1_001 / 44_100.0
        player.play()
        let output = try rig.render(30_000, block: block)[0]
        let expected = Array(samples[1_001...]) + samples + samples
        #expect(Array(output[..<expected.count]) == expected)
        #expect(output[expected.count...].allSatisfy { $0 == 0 })
        #expect(listener.wait(1) == ["finished true at 0.0"])
    }

    @Test("A sound that loops for ever ends when the number of loops is set")
    func endlessLoopsEnd() throws {
        let samples = noise(10_000)
        let rig = try OfflineRig(channels: 1)
        let player = try AVAudioPlayer(contentsOf: url("a.wav", [samples]), engine: rig.engine)
        player.numberOfLoops = -1
        player.play()
        let output = try rig.render(100_000)[0]
        #expect((0..<10).allSatisfy { Array(output[$0 * 10_000..<($0 + 1) * 10_000]) == samples })
        #expect(abs(player.currentTime) < 1e-9)
        player.numberOfLoops = 0
        // What was read ahead is heard.
        let rest = try rig.render(100_000)[0]
        let end = rest.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        #expect(end % 10_000 == 0 && end <= 50_000)
        // The end is noticed on a thread of the player's.
        #expect(waitUntil(timeout: 20) { !player.isPlaying })
    }

    @Test("Pause, stop and a set time go on with the right frame")
    func transportIsExact() throws {
        let samples = noise(60_000)
        let rig = try OfflineRig(channels: 1)
        let player = try AVAudioPlayer(contentsOf: url("a.wav", [samples]), engine: rig.engine)
        player.play()
        #expect(try rig.render(5_000)[0] == Array(samples[..<5_000]))
        player.pause()
        #expect(!player.isPlaying && abs(player.currentTime - 5_000 / 44_100.0) < 1e-9)
        #expect(try rig.render(3_000)[0].allSatisfy { $0 == 0 })
        player.play()
        #expect(try rig.render(5_000)[0] == Array(samples[5_000..<10_000]))
        player.stop()
        #expect(!player.isPlaying && abs(player.currentTime - 10_000 / 44_100.0) < 1e-9)
        #expect(try rig.render(1_000)[0].allSatisfy { $0 == 0 })
        player.play()
        #expect(try rig.render(2_000)[0] == Array(samples[10_000..<12_000]))
        player.currentTime = 40_000 / 44_100.0
        #expect(abs(player.currentTime - 40_000 / 44_100.0) < 1e-9)
        #expect(try rig.render(2_000)[0] == Array(samples[40_000..<42_000]))
        #expect(abs(player.currentTime - 42_000 / 44_100.0) < 1e-9)
        player.pause()
        player.currentTime = 20_000 / 44_100.0
        #expect(try rig.render(500)[0].allSatisfy { $0 == 0 })
        player.play()
        #expect(try rig.render(2_000)[0] == Array(samples[20_000..<22_000]))
        player.currentTime = .infinity
        player.currentTime = -3
        #expect(try rig.render(2_000)[0] == Array(samples[..<2_000]))
    }

    @Test("The rate changes the duration, and not the pitch")
    func rateKeepsThePitch() throws {
        let rig = try OfflineRig(channels: 1)
        let player = try AVAudioPlayer(contentsOf: url("a.wav", [sine(1_000, 132_300)]), engine: rig.engine)
        player.enableRate = true
        player.rate = 2
        player.play()
        let output = try rig.render(88_200)[0]
        let heard = output[20_000..<50_000]
        #expect(abs(amplitude(of: 1_000, in: heard) - 0.5) < 0.02)
        #expect(amplitude(of: 2_000, in: heard) < 0.01)
        let end = output.lastIndex { abs($0) > 0.05 } ?? 0
        #expect(abs(Double(end) / 44_100 - 1.5) < 0.15)
        player.rate = .nan
        #expect(player.rate == 2)
    }

    @Test("A fade of the volume is a straight line")
    func volumeFades() throws {
        let rig = try OfflineRig(channels: 1)
        let player = try AVAudioPlayer(
            contentsOf: url("a.wav", [[Float](repeating: 0.5, count: 88_200)]),
            engine: rig.engine
        )
        player.play()
        _ = try rig.render(4_410)
        player.setVolume(0, fadeDuration: 1)
        #expect(player.volume == 0)
        let output = try rig.render(48_510)[0]
        for (index, sample) in output.enumerated() {
            let expected = 0.5 * max(0, 1 - Float(index + 1) / 44_100)
            #expect(abs(sample - expected) < 1e-3)
        }
    }

    @Test("Meters tell the level before the volume, and silence as −160 dB")
    func metersTellLevels() throws {
        let rig = try OfflineRig()
        let tone = sine(1_000, 88_200)
        let silence = [Float](repeating: 0, count: 88_200)
        let player = try AVAudioPlayer(contentsOf: url("a.wav", [tone, silence]), engine: rig.engine)
        player.volume = 0.1
        player.isMeteringEnabled = true
        #expect(player.averagePower(forChannel: 0) == -160)
        player.play()
        _ = try rig.render(44_100)
        // The tap hands over on a queue of its own.
        waitUntil(timeout: 10) {
            player.updateMeters()
            return player.peakPower(forChannel: 0) > -160
        }
        // 0.5 is −6.02 dB; the mean of a sine is 3.01 dB less.
        #expect(abs(player.peakPower(forChannel: 0) + 6.02) < 0.05)
        #expect(abs(player.averagePower(forChannel: 0) + 9.03) < 0.2)
        #expect(player.averagePower(forChannel: 1) == -160 && player.peakPower(forChannel: 7) == -160)
    }

    @Test("A recording in memory plays like its file, and no recording is an error")
    func playsData() throws {
        let samples = noise(3_000)
        let data = try Data(contentsOf: url("a.wav", [samples]))
        let player = try AVAudioPlayer(data: data, fileTypeHint: "public.wav")
        #expect(player.url == nil && player.data == data && player.duration == 3_000 / 44_100.0)
        #expect((player.settings[AVSampleRateKey] as? Double) == 44_100)
    }

    @Test("Errors of players are statuses of the system, as on Apple's systems")
    func errorsAreStatuses() throws {
        let text = #expect(throws: AVAudioRecordingError.self) { try AVAudioPlayer(data: Data("hello, hello".utf8)) }
        #expect(text?.code == .notAudio)
        let missing = #expect(throws: AVAudioRecordingError.self) {
            try AVAudioPlayer(contentsOf: folder.url("none.wav"))
        }
        #expect(missing?.code == .fileNotFound && missing?.file.url == folder.url("none.wav"))
        let error = try #require(missing) as NSError
        // "wht?", as Apple's player has it for a file that does not exist.
        #expect(error.domain == NSOSStatusErrorDomain && error.code == 2_003_334_207)
        #expect(error.localizedDescription.contains("none.wav"))
        #expect(error.userInfo[NSUnderlyingErrorKey] is AVAudioFileError)
    }

    @Test("A file that is cut off plays as far as it goes, and says so")
    func aCutFileIsToldOf() throws {
        let rig = try OfflineRig(channels: 1)
        let whole = try Data(contentsOf: url("a.wav", [noise(44_100)]))
        let cut = folder.url("cut.wav")
        try whole[..<60_000].write(to: cut)
        let player = try AVAudioPlayer(contentsOf: cut, engine: rig.engine)
        let listener = Listener()
        player.delegate = listener
        player.play()
        _ = try rig.render(60_000)
        #expect(listener.wait(2) == ["error media.truncated", "finished false at 0.0"])
    }

    @Test("Two players of one engine started for the same time begin at the same frame")
    func playersStartTogether() throws {
        let rig = DeviceRig(channels: 2)
        let click: [Float] = [1] + [Float](repeating: 0, count: 9_999)
        let silence = [Float](repeating: 0, count: 10_000)
        let first = try AVAudioPlayer(contentsOf: url("a.wav", [click, silence]), engine: rig.engine)
        let second = try AVAudioPlayer(contentsOf: url("b.wav", [silence, click]), engine: rig.engine)
        first.prepareToPlay()
        second.prepareToPlay()
        let time = first.deviceCurrentTime + 0.2
        #expect(first.play(atTime: time) && second.play(atTime: time))
        #expect(waitUntil { first.deviceCurrentTime > time })
        let output = try rig.render(20_000)
        let starts = output.map { $0.firstIndex { $0 > 0.5 } }
        #expect(starts[0] != nil && starts[0] == starts[1])
    }

    @Test("Without a device playing returns false, with the reason")
    func withoutADevice() throws {
        let engine = AVAudioEngine()
        engine.outputDevice = MissingDeviceTests.NoOutput()
        let player = try AVAudioPlayer(contentsOf: url("a.wav", [noise(100)]), engine: engine)
        #expect(!player.play() && !player.isPlaying)
        #expect((player.playError as? DeviceError)?.code == .deviceUnavailable)
    }
}
