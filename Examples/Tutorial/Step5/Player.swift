import SyrinxPodcastLibrary
import SyrinxStreaming

/// A player that is controlled by lines of text.
struct Player: Sendable {
    let streamer: TimePitchStreamer
    let sound: Sound
    let meter: Meter

    init() {
        streamer = TimePitchStreamer()
        sound = Sound(of: streamer)
        meter = Meter(of: streamer.engine)
    }

    /// Carries out a command.
    func perform(_ command: String) {
        let time = streamer.currentTime ?? 0
        switch command {
        case "": if streamer.state == .playing { streamer.pause() } else { streamer.play() }
        case "+": seek(to: time + 10)
        case "-": seek(to: time - 10)
        case "q": streamer.stop()
        default:
            if let seconds = Double(command) { return seek(to: seconds) }
            if !sound.perform(command) { print("unknown command") }
        }
    }

    /// Seeks to a position in seconds, which the streamer clamps to the recording.
    func seek(to seconds: Double) {
        do { try streamer.seek(to: seconds) } catch { print(error.localizedDescription) }
    }
}

// snippet: tutorial-resume
extension Player {
    /// Plays an episode from the position where the listener left it, and saves the position.
    func play(_ episode: Episode, at url: URL, in library: PodcastLibrary) async throws {
        let events = streamer.events
        streamer.open(StreamingItem(.url(url), startTime: episode.position), andPlay: true)
        var progress = Progress(of: episode, in: library)
        let commands = Task { for await line in inputLines() { perform(line) } }
        defer { commands.cancel() }
        var (duration, downloaded) = (0.0, "")
        for await event in events {
            switch event {
            case .opened(let info): print(info.tags["title"] ?? episode.title)
            case .download(let received, let total?, _):
                downloaded = "\(received / 1_000) of \(total / 1_000) kB"
            case .duration(let seconds, _): duration = seconds
            case .position(let time):
                show("\(clock(time)) / \(clock(duration)) \(meter.bar) \(downloaded)")
                try progress.reached(time)
            case .failed(let error): throw error
            case .status(.ended, _):
                try progress.end()
                return print()
            case .status(.stopped, _): return print()
            default: break
            }
        }
    }
}
// end

// snippet: tutorial-arguments
@main
struct Program {
    static func main() async {
        let words = CommandLine.arguments.dropFirst().map { $0 }
        guard words.count >= 2 else { fail("usage: player LIBRARY FEED [NUMBER]") }
        do {
            let podcasts = try Podcasts(file: URL(fileURLWithPath: words[0]))
            let episodes = try await podcasts.episodes(of: words[1])
            guard words.count > 2 else { return podcasts.list(episodes) }
            guard let number = Int(words[2]), number >= 1, number <= episodes.count,
                let url = try podcasts.library.recordingURL(of: episodes[number - 1])
            else { fail("no recording has the number \(words[2])") }
            try await Player().play(episodes[number - 1], at: location(url), in: podcasts.library)
        } catch {
            fail(error.localizedDescription)
        }
    }
}
// end
