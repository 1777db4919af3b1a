internal import CSyrinxFFmpeg
internal import CoreAudioTypes
package import SyrinxByteStream

/// Splits a recording into packets of compressed audio.
///
/// Reads block until the stream has the bytes, so don't call them on a thread that must not wait. Not thread-safe. To
/// end a blocked read, call the stream's `cancel()` from another thread.
package final class MediaDemuxer {
    let source: PacketSource

    /// Opens a recording, reading as few bytes as possible to identify it.
    /// - Parameters:
    ///   - raw: The format of the samples, if the stream contains only raw samples; then the format is not detected.
    ///   - choice: Selects an audio track if there are several.
    /// - Throws: `.notAudio`, `.empty`, `.corrupt` or `.truncated`, or the error of the stream.
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
    /// The duration and the frame count may become known or more exact while packets are read.
    package var info: MediaInfo { source.info }

    /// The stream that the packets come from.
    package var stream: any ByteStream { source.stream }

    /// The decoder configuration of the next packets that the stream description does not contain; empty if there is
    /// none.
    ///
    /// The data are FFmpeg's: AAC's `AudioSpecificConfig`, FLAC's stream info, Apple Lossless' atom, or the headers of
    /// Opus and Vorbis.
    package var magicCookie: [UInt8] {
        guard let parameters = source.parameters, parameters.pointee.extradata_size > 0 else { return [] }
        return Array(
            UnsafeBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
        )
    }

    /// The audio tracks that can be decoded, in the order of the container.
    package var soundTracks: [MediaSoundTrack] { sounds.tracks }

    /// The index of the selected track in `soundTracks`.
    package var soundTrackIndex: Int { sounds.chosen }

    private var sounds: SoundTracks { source.format.soundTracks }

    /// The cover picture and its bytes; `nil` if there is none.
    package var artwork: MediaPicture? { source.format.cover?.picture }

    /// Whether the recording also has video.
    package var hasMovingPictures: Bool { source.format.hasMovingPictures }

    /// Returns the description of the video; `nil` if there is none, or if too little has been read to describe it.
    /// - Throws: `.unsupported` or `.corrupt` if the video cannot be decoded.
    package func describePictures() throws(SyrinxError) -> VideoInfo? {
        try source.format.describePictures()
    }

    /// Whether the packets contain uncompressed samples, so that they can be split at any frame.
    package var isUncompressed: Bool {
        let description = info.streamDescription
        return description.mFormatID == kAudioFormatLinearPCM && description.mBytesPerFrame > 0
    }

    /// Returns the next audio packet, or `nil` at the end.
    /// - Throws: The error of the stream. Reading can be retried after `seek(toFrame:)`.
    package func nextPacket() throws(SyrinxError) -> MediaPacket? { try source.nextPacket() }

    /// Seeks to a packet from which the frame can be decoded.
    ///
    /// The next packet contains `frame`, or precedes it by as many packets as the codec needs to produce correct
    /// output. A local stream without an index is read from the nearest known position, so the frame is exact. In a
    /// remote stream, the position of unread parts is computed from the bit rate or the encoder's table, so the frame
    /// is approximate. Frames out of range are clamped.
    /// - Throws: `.notSeekable` if the frame precedes the position and the stream is not seekable, or the stream's
    ///   error.
    package func seek(toFrame frame: Int64) throws(SyrinxError) { try source.seek(toFrame: frame) }

    /// Whether reading continues with the next recording of a chain if its codec differs.
    package var goesOnInChain: Bool {
        get { source.readsOnIntoOtherCodecs }
        set { source.readsOnIntoOtherCodecs = newValue }
    }

    /// The file positions of all packets of an MP4 file, in order; `nil` if its header does not state them.
    package var packetTable: [TableCutter.Entry]? { source.packetTable }

    /// The number of packets that the encoder of an MP3 file states; `nil` if it states none.
    package var statedPacketCount: Int64? { source.statedPacketCount }

    /// The number of preceding packets that a decoder needs before its output is correct.
    ///
    /// A seek starts earlier by this number of packets.
    package var rollDistance: Int64 { source.rollDistance }

    /// Whether decoding can start at any packet; false for TrueHD and MLP.
    package var canBeginAnywhere: Bool { source.canBeginAnywhere }
}
