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

// snippet: tutorial-levels
extension Player {
    /// Plays a recording, and shows the position, the level and the download until it ends or the listener quits.
    func play(_ url: URL) async {
        let events = streamer.events
        streamer.url = url
        streamer.play()
        let commands = Task { for await line in inputLines() { perform(line) } }
        defer { commands.cancel() }
        var (duration, downloaded) = (0.0, "")
        for await event in events {
            switch event {
            case .opened(let info): print(info.tags["title"] ?? url.lastPathComponent)
            case .download(let received, let total?, _):
                downloaded = "\(received / 1_000) of \(total / 1_000) kB"
            case .duration(let seconds, _): duration = seconds
            case .position(let time):
                show("\(clock(time)) / \(clock(duration)) \(meter.bar) \(downloaded)")
            case .failed(let error): fail(error.localizedDescription)
            case .status(.ended, _), .status(.stopped, _): return print()
            default: break
            }
        }
    }
}
// end

@main
struct Program {
    static func main() async {
        guard let argument = CommandLine.arguments.dropFirst().first else { fail("usage: player URL") }
        await Player().play(location(argument))
    }
}
