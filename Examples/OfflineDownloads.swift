import SyrinxStreaming

// snippet: download
/// Downloads an episode to be played without a network, and returns its size in bytes.
func downloadEpisode(at url: URL, to directory: String) async throws -> Int64 {
    let cache = DiskCache(directory: directory)
    let manager = try DownloadManager(cache: cache)
    let events = manager.events
    let download = try manager.add(url)
    if download.state == .completed { return download.receivedByteCount }
    for await event in events {
        guard case .changed(let changed) = event, changed.id == download.id else { continue }
        if let error = changed.error { throw error }
        if changed.state == .completed { return changed.receivedByteCount }
    }
    throw CancellationError()  // The manager was closed.
}
// end

// snippet: play-offline
/// Plays a downloaded episode by its URL: a streamer with the same cache sends no request.
func playDownload(of url: URL, in directory: String, on device: (any OutputDevice)? = nil) async throws {
    let streamer = Streamer(device: device)
    streamer.cache = DiskCache(directory: directory)
    streamer.url = url
    let events = streamer.events
    streamer.play()
    for await event in events {
        if case .failed(let error) = event { throw error }
        if case .status(.ended, _) = event { return }
    }
}
// end
