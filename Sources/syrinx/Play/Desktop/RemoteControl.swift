import Foundation
import MediaPlayer
import Synchronization
import SyrinxListening
import SyrinxStreaming
import SyrinxTerminal

/// The status of a player, as `syrinx control status --json` writes it.
struct RemoteStatus: Codable, Equatable, Sendable {
    var state = PlayState.opening
    /// In seconds, as `duration`.
    var time = 0.0
    @NullEncoded var duration: Double?
    var url = ""
    @NullEncoded var title: String?
    @NullEncoded var artist: String?
    var rate = 1.0
    /// In cents.
    var pitch = 0.0
    var volume = 1.0
    /// Whether all channels sound alike.
    var mono = false
    /// From the left channel alone to the right one alone, −1…1.
    var balance = 0.0
    /// The name of the equaliser's preset.
    var equalizer = Tone().equalizer
    /// The place in the queue, from 0 on.
    var index = 0
    /// The number of inputs in the queue.
    var count = 1
    /// The number of chapters of the input.
    var chapters = 0
    /// The number of effects.
    var effects = 0

    /// Returns the reason why a command cannot be carried out, with places as people count; `nil` if it can.
    func reason(against command: ListeningCommand) -> String? {
        switch command {
        case .goTo(let place) where place >= count, .remove(let place) where place >= count,
            .move(let place, _) where place >= count, .move(_, let place) where place >= count:
            "there is no input at the place \(place + 1): the queue has \(count)"
        case .chapter(let place) where place >= chapters: "there is no chapter \(place + 1): the input has \(chapters)"
        case .effect(let place, _) where place >= effects: "there is no effect \(place + 1): there are \(effects)"
        case .remove where count == 1 && state != .stopped:
            "the only input of the queue cannot be removed; stop ends playback"
        case .previous(isWeak: false) where count == 1: "there is no input before this one that can be played"
        case .equalizer(let name?) where EqualizerName(argument: name) == nil:
            "there is no preset \"\(name)\"; there are \(EqualizerName.list)"
        case .enqueue(let text) where InputArgument(argument: text)?.isStandardInput ?? true:
            "enqueue takes a path, or a file:, http: or https: URL"
        default: nil
        }
    }

    /// The line that people read.
    var text: String {
        let heading = [artist, title ?? url].compactMap(\.self).joined(separator: " – ")
        let times = [time, duration].compactMap(\.self).map { ClockText.text($0) }.joined(separator: " / ")
        var parts = ["\(state.rawValue)", times, heading]
        if rate != 1 { parts.append("\(SoundLimits.number(rate))×") }
        if pitch != 0 { parts.append("\(SoundLimits.help(pitch)) cents") }
        if count > 1 { parts.append("(\(index + 1) of \(count))") }
        return PrintableText.line(parts.joined(separator: "  "))
    }
}

/// An input of a player's queue, as `syrinx queue --json` writes it.
struct RemoteQueueEntry: Codable, Equatable, Sendable {
    /// The place in the queue, from 0 on.
    var index: Int
    /// The absolute URL or path.
    var url: String
    @NullEncoded var title: String?
    @NullEncoded var artist: String?
    @NullEncoded var album: String?
    /// In seconds, if it is known.
    @NullEncoded var duration: Double?
    /// The part of the recording that is played, in seconds; left out where all of it is.
    var start: Double?
    var end: Double?
    /// Whether it is the input that plays.
    var current: Bool
}

/// A value that one thread waits for and another gives.
private final class Answer<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ new: Value) {
        value.withLock { $0 = new }
        isGiven.signal()
    }

    /// Waits for at most so many seconds.
    func wait(_ seconds: Double) -> Value? {
        _ = isGiven.wait(timeout: .now() + seconds)
        return value.withLock { $0 }
    }
}

/// The part of a player that another process controls, by `syrinx control`.
final class RemoteControl: Sendable {
    private let status = Mutex(RemoteStatus())
    private let post: @Sendable (PlaySession.Event) -> Void

    init(post: @escaping @Sendable (PlaySession.Event) -> Void) { self.post = post }

    /// The object's part on the bus.
    var control: DesktopPlayer.Control {
        DesktopPlayer.Control(
            carryOut: { [self] in carryOut($0) },
            status: { [self] in json(at: $0) },
            queue: { [self] in queue() }
        )
    }

    /// Reports the status, but for the time.
    func update(_ new: RemoteStatus) { status.withLock { $0 = new } }

    private func carryOut(_ line: String) -> String? {
        do throws(CommandError) {
            let command = try ListeningCommand(text: line)
            if let reason = status.withLock({ $0.reason(against: command) }) { return reason }
            post(.control(.success(command)))
            return nil
        } catch {
            return error.message
        }
    }

    /// The time for which the player's thread is waited for: less than the caller waits.
    private static let patience = 3.0

    /// Returns the queue, which the thread that plays is asked for: a copy kept here could be large.
    private func queue() -> String {
        let entries = Answer<[RemoteQueueEntry]>()
        post(.queueAsked { entries.give($0) })
        return (try? JSONText.encode(entries.wait(Self.patience) ?? [])) ?? "[]"
    }

    private func json(at time: Double) -> String {
        var status = status.withLock { $0 }
        status.time = JSONText.seconds(time) ?? 0
        return (try? JSONText.encode(status)) ?? "{}"
    }
}

extension PlaySession {
    /// The queue as another process gets it.
    var remoteQueue: [RemoteQueueEntry] {
        queue.inputs.enumerated().map { index, input in
            RemoteQueueEntry(
                index: index,
                url: input.absoluteName,
                title: input.title ?? input.tags["title"],
                artist: input.tags["artist"] ?? input.tags["album_artist"],
                album: input.tags["album"],
                duration: JSONText.seconds(queue.duration(at: index)),
                start: input.part?.start,
                end: input.part?.end,
                current: index == queue.index
            )
        }
    }

    /// The status as another process gets it, but for the time.
    var remoteStatus: RemoteStatus {
        let desktop = desktopState
        return RemoteStatus(
            state: progress.state,
            duration: JSONText.seconds(progress.duration),
            url: queue.isEmpty ? "" : queue.current.name,
            title: desktop.track?.title,
            artist: desktop.track?.artists.first,
            rate: settings.rate,
            pitch: settings.pitch,
            volume: settings.volume,
            mono: settings.tone.isMono,
            balance: settings.tone.balance,
            equalizer: settings.tone.equalizer,
            index: queue.index,
            count: queue.count,
            chapters: chapters.chapters.count,
            effects: settings.effects.count
        )
    }
}
