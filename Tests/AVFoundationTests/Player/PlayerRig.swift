import AVFoundation
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport

/// A player on a device that the test cranks.
final class PlayerRig {
    let device: ManualOutput
    let player: AVQueuePlayer
    private(set) var output: [Float] = []

    /// - Parameters:
    ///   - items: The items; the player acts at their end as an `AVPlayer` does, unless there are several.
    ///   - waits: Whether the device waits for sound, as long as it takes to decode, where a card would play silence.
    init(_ items: [AVPlayerItem], waits: Bool = false) {
        device = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2), isPaced: !waits)
        player = AVQueuePlayer(items: items, device: device)
        if items.count < 2 { player.actionAtItemEnd = .pause }
    }

    /// Renders blocks of 512 frames until `condition` holds.
    func crank(until condition: () -> Bool) -> Bool {
        waitUntil(timeout: 20) {
            output += device.render(frameCount: 512).first ?? []
            return condition()
        }
    }

    /// Renders in the time that a card would take.
    func crank(seconds: Double) {
        let start = ContinuousClock.now
        var rendered = 0.0
        while rendered < seconds {
            output += device.render(frameCount: 512).first ?? []
            rendered += 512 / 44_100
            while ContinuousClock.now - start < .seconds(rendered) { usleep(500) }
        }
    }

    /// The output from the first sound to the last.
    var sound: [Float] {
        guard let first = output.firstIndex(where: { $0 != 0 }), let last = output.lastIndex(where: { $0 != 0 }) else {
            return []
        }
        return Array(output[first...last])
    }
}

/// A list of words that any thread may add to.
final class EventList: Sendable {
    private let words = Mutex<[String]>([])

    func add(_ word: String) { words.withLock { $0.append(word) } }
    var all: [String] { words.withLock { $0 } }
    func count(of word: String) -> Int { all.count { $0 == word } }
}

/// Whether the caller runs on the main queue, which has no thread of its own in an `async` program.
var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

private let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

/// Waits until everything that has been delivered to the main queue has been called.
func drainMainQueue() async {
    await withCheckedContinuation { done in OperationQueue.main.addOperation { done.resume() } }
}

/// Collects notifications about an object, by their short names.
final class NotificationList {
    let events: EventList
    private var tokens: [any NSObjectProtocol] = []

    init(of object: AnyObject, _ names: [String: Notification.Name], into events: EventList = EventList()) {
        self.events = events
        for (word, name) in names {
            let token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { _ in
                events.add(isOnMainQueue ? word : "\(word) off main")
            }
            tokens.append(token)
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
}

/// Files that the tests of players play.
struct PlayerFiles {
    let scratch: ScratchDirectory
    static let sampleRate = 44_100.0

    init() throws { scratch = try ScratchDirectory() }

    /// Writes samples, the same in both channels, to a WAV file of floats.
    func write(_ name: String, _ samples: [Float]) throws -> URL {
        let url = URL(fileURLWithPath: scratch.file(name))
        let format = try require(AVAudioFormat(standardFormatWithSampleRate: Self.sampleRate, channels: 2))
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        let buffer = try require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(samples.count)))
        buffer.frameLength = buffer.frameCapacity
        for channel in 0..<2 {
            buffer.floatChannelData?[channel].update(from: samples, count: samples.count)
        }
        try file.write(from: buffer)
        file.close()
        return url
    }

    /// Writes a sine.
    func sine(_ name: String = "sine.wav", seconds: Double = 1, frequency: Double = 441) throws -> URL {
        try write(name, Self.sine(seconds: seconds, frequency: frequency))
    }

    static func sine(seconds: Double, frequency: Double = 441) -> [Float] {
        sineWave(frequency: frequency, sampleRate: sampleRate, frameCount: Int((seconds * sampleRate).rounded()))
    }
}

/// Returns a value that has to be there.
private func require<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw CocoaError(.featureUnsupported) }
    return value
}
