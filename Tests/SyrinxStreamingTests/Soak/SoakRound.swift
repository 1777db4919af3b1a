import AVFAudio
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The failures of a streamer so far.
private final class FailureLog: Sendable {
    private let failures = Mutex<[String]>([])

    init(_ streamer: Streamer) {
        let events = streamer.events
        Task { [weak self] in
            for await event in events {
                if case .failed(let error) = event { self?.failures.withLock { $0.append("\(error.code): \(error)") } }
            }
        }
    }

    var all: [String] { failures.withLock { $0 } }
}

/// One streamer's life: it is pushed about by chance, on a line that breaks by chance, and watched at every block.
struct SoakRound {
    private static let blockSize = 512

    private let seed: UInt64
    private var dice: Dice
    private let recordings: [SoakRecording]
    private let checks: [SampleCheck]
    private let line: SoakLine
    private let rig = Rig()
    private let failures: FailureLog
    private var current = 0
    /// The check of the output, as long as it is neither stretched nor shifted and was not since the last jump.
    private var output: OutputCheck?
    private var lastTime = 0.0

    private(set) var actions = 0
    /// Frames of sound that came out, and those of them that were held against the recording.
    private(set) var heard = 0
    private(set) var compared = 0
    private(set) var longestStop = Duration.zero

    private var streamer: TimePitchStreamer { rig.streamer }

    init(seed: UInt64, _ recordings: [SoakRecording], _ line: SoakLine, cache: DiskCache?) {
        self.seed = seed
        self.recordings = recordings
        self.line = line
        dice = Dice(seed)
        checks = recordings.map { SampleCheck($0.samples, tolerance: $0.tolerance) }
        failures = FailureLog(rig.streamer)
        var network = quickNetwork
        network.maximumAttempts = 50
        network.maximumConnectAttempts = 50
        network.initialRetryDelay = 0.001
        network.stallTimeout = 0.25
        streamer.network = network
        streamer.cache = cache
    }

    /// Does so many things to it, and then stops it.
    mutating func run(actions count: Int) throws {
        try open()
        for _ in 0..<count {
            try act()
            actions += 1
            for _ in 0..<(1 + dice.below(20)) { renderBlock() }
        }
        for _ in 0..<3 { stop() }
        for (recording, check) in zip(recordings, checks) {
            #expect(check.wrongCount == 0, "seed \(seed): \(recording.path) was decoded to something else")
        }
    }

    // MARK: What is done to it

    private mutating func open() throws {
        current = dice.below(recordings.count)
        let url = try #require(URL(string: line.server.url(recordings[current].path)))
        let check = checks[current]
        // In one step for the thread that decodes: what the old input still gives is not the new one's.
        streamer.withController { controller in
            streamer.decodedBufferHandler = { buffer, position in check.note(buffer, at: Int(position)) }
            streamer.open(.url(url), andPlay: true)
        }
        jumped()
    }

    private mutating func act() throws {
        switch dice.below(40) {
        case 0...1: try open()
        case 2...5: try seek()
        case 6: for _ in 0..<(2 + dice.below(8)) { try seek() }
        case 7...8:
            streamer.rate = dice.one(of: [0.5, 1, 1, 1.5, 2, 4])
            output = nil
        case 9:
            streamer.pitch = Float(dice.below(5) * 300 - 600)
            output = nil
        case 10:
            streamer.rate = 1
            streamer.pitch = 0
            try seek()
        case 11...12: streamer.pause()
        case 13: stop()
        default: play()
        }
    }

    private mutating func play() {
        streamer.withController { controller in
            if streamer.status == .ended || streamer.status == .stopped { jumped() }
            streamer.play()
        }
    }

    private mutating func seek() throws {
        do {
            try streamer.seek(to: dice.fraction() * recordings[current].duration)
            jumped()
        } catch let error as SyrinxError where error.code == .notSeekable {
            // A server that gives no ranges is read forward only, and says so; what plays is not disturbed.
        }
    }

    private mutating func jumped() {
        let isPlain = streamer.rate == 1 && streamer.pitch == 0 && recordings[current].tolerance == 0
        output = isPlain ? OutputCheck(recordings[current].samples[0]) : nil
        lastTime = 0
    }

    private mutating func stop() {
        let begin = ContinuousClock.now
        streamer.stop()
        longestStop = max(longestStop, ContinuousClock.now - begin)
        #expect(streamer.status == .stopped, "seed \(seed)")
        #expect(rig.device.render(frameCount: Self.blockSize).first?.contains { $0 != 0 } != true, "seed \(seed)")
        // Playing again begins anew.
        jumped()
    }

    // MARK: What it says, and what is heard

    private mutating func renderBlock() {
        let before = streamer.status
        let block = rig.device.render(frameCount: Self.blockSize).first ?? []
        let after = streamer.status
        let isSilent = block.allSatisfy { $0 == 0 }
        if !isSilent { heard += block.count }
        checkTime()
        // The engine reports rendered frames on a thread of its own: it may be a little behind, and not for ever.
        if before == .playing, after == .playing {
            if isSilent { checkThatPlayingSounds() } else { checkSamples(block) }
        } else {
            output?.breakOff()
        }
        if before == .buffering, after == .buffering, !isSilent { checkThatSoundIsPlaying() }
        // A fade lasts 5 ms, so that the second half of a block that is wholly held is silent.
        if [.paused, .stopped, .ended].contains(before), after == before {
            #expect(block.dropFirst(Self.blockSize / 2).allSatisfy { $0 == 0 }, "seed \(seed): sound while \(before)")
        }
        #expect(after != .failed, "seed \(seed): \(failures.all)")
        // A turn for the pump and for the engine's own thread: blocks are made much faster than they sound.
        usleep(300)
    }

    /// The time told lies in the recording and does not go back by itself.
    private mutating func checkTime() {
        guard let time = streamer.currentTime else { return }
        let isEnd = streamer.status == .ended || streamer.status == .stopped
        #expect(time >= lastTime || isEnd, "seed \(seed): from \(lastTime) to \(time)")
        #expect(time <= recordings[current].duration + 0.06, "seed \(seed)")
        lastTime = isEnd ? 0 : time
    }

    private mutating func checkSamples(_ block: [Float]) {
        guard var told = streamer.currentTime, let begun = output else { return }
        // At the end the time told is that of the start again.
        guard streamer.status == .playing else {
            output?.breakOff()
            return
        }
        var isRight = output?.takes(block, told: Int(told * 44_100)) ?? true
        if !isRight, !begun.isFollowing {
            // Blocks are made much faster than they sound: the place of a first one may be reported late on a busy machine.
            isRight = waitUntil(timeout: promptly) {
                told = streamer.currentTime ?? told
                output = begun
                return streamer.status != .playing || output?.takes(block, told: Int(told * 44_100)) == true
            }
        }
        #expect(isRight, "seed \(seed): at \(told) s of \(recordings[current].path) something else is heard")
        guard isRight, let time = output?.time else { return }
        compared += block.count
        #expect(abs(min(time, recordings[current].duration) - told) < 0.05, "seed \(seed): \(told) is told at \(time)")
    }

    private mutating func checkThatPlayingSounds() {
        let isTrue = waitUntil(timeout: promptly) {
            streamer.status != .playing
                || rig.device.render(frameCount: Self.blockSize).first?.contains { $0 != 0 } == true
        }
        #expect(isTrue, "seed \(seed): nothing is heard while it is said to play")
        output?.breakOff()
    }

    private mutating func checkThatSoundIsPlaying() {
        let isTrue = waitUntil(timeout: promptly) {
            streamer.status != .buffering
                || rig.device.render(frameCount: Self.blockSize).first?.contains { $0 != 0 } != true
        }
        #expect(isTrue, "seed \(seed): it is heard while it is said to wait")
        output?.breakOff()
    }
}
