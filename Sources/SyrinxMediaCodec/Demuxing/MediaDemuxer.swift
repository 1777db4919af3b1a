internal import CSyrinxFFmpeg
internal import CoreAudioTypes
package import SyrinxByteStream

/// Takes a recording apart into packets of compressed sound.
///
/// One thread at a time, and one that may wait: reading blocks as long as the stream does. To end a read that waits, call
/// the stream's `cancel()` from another thread.
package final class MediaDemuxer {
    let source: PacketSource

    /// Opens a recording and reads as little of it as tells what it is.
    /// - Parameters:
    ///   - raw: What the stream holds, if it is nothing but samples: then it is not looked at.
    ///   - choice: Chooses a track of sound where there are several.
    /// - Throws: `SyrinxError`: what it is not (`.notAudio`, `.empty`), what is wrong with it (`.corrupt`, `.truncated`), or
    ///   the error of the stream with its own code.
    package static func open(
        _ stream: any ByteStream,
        raw: RawSamples? = nil,
        choosing choice: SoundTrackChoice? = nil
    ) throws(SyrinxError) -> MediaDemuxer {
        MediaDemuxer(try PacketSource.open(stream, raw: raw, choosing: choice))
    }

    private init(_ source: PacketSource) { self.source = source }

    /// The description of the recording.
    ///
    /// Duration and frame count may become known, or better, as packets pass.
    package var info: MediaInfo { source.info }

    /// The stream that the packets come from.
    package var stream: any ByteStream { source.stream }

    /// The data that a decoder of the next packets needs beside the stream description; empty if none.
    ///
    /// It is FFmpeg's: of AAC the `AudioSpecificConfig`, of FLAC the stream info, of Apple Lossless the atom, of Opus and
    /// Vorbis their headers.
    package var magicCookie: [UInt8] {
        guard let parameters = source.parameters, parameters.pointee.extradata_size > 0 else { return [] }
        return Array(
            UnsafeBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
        )
    }

    /// The tracks of sound that can be decoded, in the order of the container.
    package var soundTracks: [MediaSoundTrack] { sounds.tracks }

    /// The index of the track that is read.
    package var soundTrackIndex: Int { sounds.chosen }

    private var sounds: SoundTracks { source.format.soundTracks }

    /// The cover picture, with its bytes, if there is one.
    package var artwork: MediaPicture? { source.format.cover?.picture }

    /// Whether the recording has moving pictures besides.
    package var hasMovingPictures: Bool { source.format.hasMovingPictures }

    /// Returns the description of the moving pictures; `nil` without any, or if too little has been read to describe them.
    /// - Throws: `.unsupported` or `.corrupt` if they cannot be decoded.
    package func describePictures() throws(SyrinxError) -> VideoInfo? {
        try source.format.describePictures()
    }

    /// Whether the packets hold samples as they are, so that they may be cut between any two frames.
    package var isUncompressed: Bool {
        let description = info.streamDescription
        return description.mFormatID == kAudioFormatLinearPCM && description.mBytesPerFrame > 0
    }

    /// The next packet of sound, or `nil` at the end.
    /// - Throws: The stream's error. Reading may be tried again after `seek(toFrame:)`.
    package func nextPacket() throws(SyrinxError) -> MediaPacket? { try source.nextPacket() }

    /// Goes to a packet from which the sound at `frame` can be decoded.
    ///
    /// The next packet is the one that holds `frame`, or one before it: as many as the codec needs to get going. Streams
    /// without an index are read from the nearest place seen before, so that the frame is exact; of a remote one the unseen
    /// part is jumped over, by arithmetic or by the encoder's table, and the frame is then nominal. Frames out of range
    /// are taken to the nearest end.
    /// - Throws: `.notSeekable` if it lies behind and the stream cannot go back, or the stream's error.
    package func seek(toFrame frame: Int64) throws(SyrinxError) { try source.seek(toFrame: frame) }

    /// Whether what follows in a chain is read too where its codec is another.
    package var goesOnInChain: Bool {
        get { source.readsOnIntoOtherCodecs }
        set { source.readsOnIntoOtherCodecs = newValue }
    }

    /// The place of every packet of an MP4 file, in order; `nil` if its header does not state them.
    package var packetTable: [TableCutter.Entry]? { source.packetTable }

    /// The number of packets, if the encoder of an MP3 states it.
    package var statedPacketCount: Int64? { source.statedPacketCount }

    /// The number of packets before another that a decoder needs.
    ///
    /// A seek of this demultiplexer starts that much earlier.
    package var rollDistance: Int64 { source.rollDistance }

    /// Whether decoding may begin with any packet; of TrueHD and MLP it may not.
    package var canBeginAnywhere: Bool { source.canBeginAnywhere }
}
