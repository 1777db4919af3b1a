import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec

/// An input that has been opened: its bytes, its samples, and the sounds that it has.
struct OpenedSound {
    let stream: any ByteStream
    let reader: any SampleReader
    /// The sounds to choose from; fewer than two where there is no choice.
    let options: [SoundOption]
    /// The index of the one that is read.
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

    /// Returns the index of another sound that a preference chooses; `nil` if it chooses the one that is read.
    func otherChoice(_ preference: SoundPreference) -> Int? {
        guard options.count > 1, let wanted = preference.choice(among: options), wanted != choice else { return nil }
        return wanted
    }
}

extension DecodePump.Settings {
    /// Opens the input and reads as little of it as tells what it is; waits for its bytes.
    /// - Parameters:
    ///   - preference: The sound to choose.
    ///   - made: Gets the stream before anything is read, and once more if the server says that it is a playlist. It returns
    ///     whether the input is still wanted.
    /// - Returns: `nil` if the input is not wanted any more.
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
