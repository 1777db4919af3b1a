import SyrinxStreaming

// snippet: tutorial-play
/// Plays the recording at a URL or a path, and exits at its end.
@main
struct Player {
    static func main() async {
        guard let argument = CommandLine.arguments.dropFirst().first else { fail("usage: player URL") }
        let url = URL(string: argument).flatMap { $0.scheme == nil ? nil : $0 } ?? URL(fileURLWithPath: argument)
        let streamer = TimePitchStreamer()
        let events = streamer.events
        streamer.url = url
        streamer.play()
        for await event in events {
            switch event {
            case .opened(let info): print(info.tags["title"] ?? url.lastPathComponent)
            case .failed(let error): fail(error.localizedDescription)
            case .status(.ended, _): return
            default: break
            }
        }
    }
}

/// Prints a message to standard error, and exits.
func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(1)
}
// end
