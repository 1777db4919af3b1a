import Foundation
import SyrinxStreaming

// Opens a file that does not exist: the error has a code.
let streamer = TimePitchStreamer()
streamer.rate = 1.5
streamer.pitch = -100
streamer.url = URL(string: "file:///nonexistent.mp3")
let events = streamer.events
streamer.play()
for await event in events {
    guard case .failed(let error) = event else { continue }
    print("\(error.code)".isEmpty ? "no code" : "ok")
    break
}
