import SyrinxStreaming

// snippet: tutorial-commands
/// A player that is controlled by lines of text.
struct Player: Sendable {
    let streamer = TimePitchStreamer()

    /// Carries out a command: an empty line pauses or plays, `+` and `-` skip 10 s, a number seeks to that second,
    /// and `q` quits.
    func perform(_ command: String) {
        let time = streamer.currentTime ?? 0
        switch command {
        case "": if streamer.state == .playing { streamer.pause() } else { streamer.play() }
        case "+": seek(to: time + 10)
        case "-": seek(to: time - 10)
        case "q": streamer.stop()
        default: if let seconds = Double(command) { seek(to: seconds) } else { print("unknown command") }
        }
    }

    /// Seeks to a position in seconds, which the streamer clamps to the recording.
    func seek(to seconds: Double) {
        do { try streamer.seek(to: seconds) } catch { print(error.localizedDescription) }
    }
}
// end

// snippet: tutorial-events
extension Player {
    /// Plays a recording and shows the position, until the recording ends or the listener quits.
    func play(_ url: URL) async {
        let events = streamer.events
        streamer.url = url
        streamer.play()
        let commands = Task { for await line in inputLines() { perform(line) } }
        defer { commands.cancel() }
        var duration = 0.0
        for await event in events {
            switch event {
            case .opened(let info): print(info.tags["title"] ?? url.lastPathComponent)
            case .duration(let seconds, _): duration = seconds
            case .position(let time): show("\(clock(time)) / \(clock(duration))")
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
