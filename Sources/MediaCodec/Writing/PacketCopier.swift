package import ByteStream
internal import CFFmpeg

/// Copies packets of a recording into another file, without decoding them.
///
/// The file appears when `finish()` has succeeded. One thread at a time.
package final class PacketCopier {
    private let output: AVIOOutputFile
    private let demuxer: MediaDemuxer
    private var muxer: UnsafeMutablePointer<AVFormatContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private let sampleRate: Int32
    private var isOpen = true

    /// The containers, by the ending of their names, with FFmpeg's name of each.
    private static let muxers = [
        "m4a": "ipod", "mp4": "mp4", "mov": "mov", "mp3": "mp3", "flac": "flac", "wav": "wav", "aiff": "aiff",
        "caf": "caf",
        "ogg": "ogg", "opus": "opus",
    ]

    /// Opens a file for the packets of `demuxer`.
    /// - Parameters:
    ///   - container: The ending of a name that stands for the format.
    ///   - tags: `title`, `artist` and so on.
    /// - Throws: `.unsupported` if the container cannot hold such packets, and the errors of opening a file.
    package init(
        _ demuxer: MediaDemuxer,
        to path: FilePath,
        container: String,
        tags: [String: String]
    ) throws(MediaError) {
        self.demuxer = demuxer
        output = try AVIOOutputFile(path: path)
        sampleRate = Int32(clamped: demuxer.info.sampleRate.rounded())
        guard let name = Self.muxers[container], let parameters = demuxer.source.parameters else {
            throw MediaError(.unsupported, "Packets cannot be copied into a .\(container) file.", name: path.name)
        }
        packet = av_packet_alloc()
        let status = avformat_alloc_output_context2(&muxer, nil, name, nil)
        guard status >= 0, let muxer, packet != nil, let stream = avformat_new_stream(muxer, nil) else {
            throw MediaError.outOfMemory(path.name)
        }
        muxer.pointee.pb = output.context
        muxer.pointee.flags |= AVFMT_FLAG_BITEXACT
        avcodec_parameters_copy(stream.pointee.codecpar, parameters)
        // The tag belongs to the other container.
        stream.pointee.codecpar.pointee.codec_tag = 0
        stream.pointee.time_base = AVRational(num: 1, den: sampleRate)
        for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&muxer.pointee.metadata, key, value, 0)
        }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if ["ipod", "mp4", "mov"].contains(name) {
            av_dict_set(&options, "movie_timescale", String(sampleRate), 0)
            if output.canBeReadBack {
                output.letReadBack(muxer)
                av_dict_set(&options, "movflags", "+faststart", 0)
            }
        }
        try output.begin()
        guard avformat_write_header(muxer, &options) >= 0 else {
            let message = "A .\(container) file cannot hold \(demuxer.info.codec)."
            throw MediaError(.unsupported, message, name: path.name)
        }
    }

    deinit {
        avformat_free_context(muxer)
        av_packet_free(&packet)
    }

    /// Writes a packet.
    /// - Parameter frame: The frame at which it begins in the new file; negative for what comes before the sound.
    package func write(_ source: MediaPacket, at frame: Int64) throws(MediaError) {
        guard isOpen, let muxer, let packet, let stream = muxer.pointee.streams[0] else {
            throw MediaError(.finished, "It has been finished or given up before.", name: output.path)
        }
        try check(av_packet_ref(packet, source.box.packet))
        packet.pointee.pts = frame
        packet.pointee.dts = frame
        packet.pointee.duration = Int64(source.frameCount ?? 0)
        packet.pointee.pos = -1
        packet.pointee.stream_index = 0
        av_packet_rescale_ts(packet, AVRational(num: 1, den: sampleRate), stream.pointee.time_base)
        let status = av_interleaved_write_frame(muxer, packet)
        av_packet_unref(packet)
        try check(status)
    }

    /// Completes the container, and puts the file in its place.
    package func finish() throws(MediaError) {
        guard isOpen else { throw MediaError(.finished, "It has been finished or given up before.", name: output.path) }
        try check(av_write_trailer(muxer))
        try output.commit()
        isOpen = false
    }

    /// Gives the file up, and leaves nothing of it.
    package func cancel() {
        guard isOpen else { return }
        isOpen = false
        output.abandon()
    }

    private func check(_ status: Int32) throws(MediaError) {
        if let failure = output.failure { throw failure }
        guard status < 0 else { return }
        cancel()
        let message = "A packet could not be written: \(describe(averror: status))."
        throw MediaError(.encodeFailed, message, name: output.path)
    }
}
