import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec

/// An open input: its bytes, its samples, and its audio tracks.
struct OpenedSound {
    let stream: any ByteStream
    let reader: any SampleReader
    /// The audio tracks to select from; fewer than two if there is no choice.
    let options: [SoundOption]
    /// The index of the decoded track.
    let choice: Int?

    init(_ stream: any ByteStream, _ reader: any SampleReader, _ preference: SoundPreference) {
        self.stream = stream
        self.reader = reader
        if let stream = stream as? HLSStream, reader is HLSReader {
            options = stream.soundOptions
            choice = preference.choice(among: options)
        } else {
            let demuxer = (reader as? MediaReader)?.demuxer
            options = SoundOption.options(of: demuxer?.soundTracks ?? [])
            choice = demuxer?.soundTrackIndex
        }
    }

    /// Returns the index of the track that a preference selects; `nil` if it is already decoded.
    func otherChoice(_ preference: SoundPreference) -> Int? {
        guard options.count > 1, let wanted = preference.choice(among: options), wanted != choice else { return nil }
        return wanted
    }
}

extension DecodePump.Settings {
    /// Opens the input and reads as little as possible to identify it; blocks while bytes arrive.
    /// - Parameters:
    ///   - preference: The audio track to select.
    ///   - made: Receives the stream before anything is read, and again if the server's response is a playlist. Returns
    ///     whether the input is still needed.
    /// - Returns: The open input; `nil` if it is no longer needed.
    func open(
        _ preference: SoundPreference,
        made: (any ByteStream) -> Bool
    ) throws -> OpenedSound? {
        var network = network
        network.isHeard = isListenedTo
        var stream = try input.makeByteStream(network: network, cache: cache)
        (stream as? HLSStream)?.preference = preference
        guard made(stream) else { return nil }
        if let resource = stream as? HTTPByteStream {
            try resource.waitForResponse()
            if let playlist = HLSStream(typed: resource, of: input, network: self.network) {
                playlist.preference = preference
                guard made(playlist) else { return nil }
                stream = playlist
            }
        }
        let reader = try input.open(stream, preference: preference)
        if let part = input.part { try reader.select(from: part.start, to: part.end) }
        return OpenedSound(stream, reader, preference)
    }
}
