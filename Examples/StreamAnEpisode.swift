import SyrinxStreaming

// snippet: stream
/// Plays an episode at one and a half times its speed, from its second minute, and returns when it has ended.
func streamAnEpisode(
    at url: URL,
    cachedIn directory: String,
    on device: (any OutputDevice)? = nil
) async throws -> TimeInterval {
    let streamer = TimePitchStreamer(device: device)
    streamer.url = url
    streamer.rate = 1.5
    streamer.pitch = -100  // cents
    streamer.cache = DiskCache(directory: directory, limit: 1 << 30)  // bytes
    streamer.network.headers.append((name: "X-App", value: "example"))

    let events = streamer.events
    streamer.play()
    try streamer.seek(to: 60)  // A place that has not arrived is fetched.
    var heard: TimeInterval = 0
    for await event in events {
        switch event {
        case .opened(let info): print(info.tags["title"] ?? url.lastPathComponent, info.duration ?? 0)
        case .position(let time): heard = time
        case .retry(let attempt, let delay, _): print("The network failed; attempt \(attempt) in \(delay) s.")
        case .failed(let error): throw error
        case .status(.ended, let time): return max(time, heard)
        default: break
        }
    }
    return heard
}
// end
