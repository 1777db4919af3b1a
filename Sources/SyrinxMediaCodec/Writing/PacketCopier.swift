internal import CSyrinxFFmpeg
internal import CoreAudioTypes
package import SyrinxByteStream

/// Copies packets of a recording into another file without decoding them.
///
/// The file appears after `finish()` has succeeded. Not thread-safe.
package final class PacketCopier {
    private let output: AVIOOutputFile
    private let demuxer: MediaDemuxer
    private var muxer: UnsafeMutablePointer<AVFormatContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private let sampleRate: Int32
    private let container: OutputContainer
    /// The size of a frame of uncompressed samples, in bytes; `nil` for compressed audio.
    private let bytesPerFrame: Int?
    private let lead: Int64
    /// The number of frames written, and the number of inaudible frames at the end.
    private var written: (count: Int64, endCut: Int64) = (0, 0)
    private var isOpen = true

    /// The number of frames that Layer 3 decoders add to the stated delay: the delay of their filters, plus one.
    private static let layer3Delay: Int64 = 529

    /// Returns the way in which a file can hide frames of the packets of `demuxer`.
    /// - Parameter container: The file name extension of the container.
    package static func means(_ demuxer: MediaDemuxer, container: String) -> CopiedPart.Means {
        if demuxer.isUncompressed { return .bytes }
        switch OutputContainer.named(container)?.delay {
        case .editList: return .hiding(0...Int64.max)
        // The tag states the encoder delay in 12 bits.
        case .tagOfLAME: return .hiding(layer3Delay...layer3Delay + 4095)
        case .packetTable: return .hiding(0...Int64(Int32.max))
        case .unavailable, nil: return .wholePackets
        }
    }

    /// Opens a file for the packets of `demuxer`.
    /// - Parameters:
    ///   - container: The file name extension of the container.
    ///   - tags: The tags, such as `title` and `artist`.
    ///   - lead: The number of inaudible frames at the start of the first packets.
    /// - Throws: `.unsupported` if the container cannot store such packets, or the errors of opening a file.
    package init(
        _ demuxer: MediaDemuxer,
        to path: FilePath,
        container: String,
        tags: [String: String],
        lead: Int64
    ) throws(SyrinxError) {
        self.demuxer = demuxer
        self.lead = max(lead, 0)
        bytesPerFrame = demuxer.isUncompressed ? Int(demuxer.info.streamDescription.mBytesPerFrame) : nil
        guard let format = OutputContainer.named(container) else { throw Self.unsupported(container, path) }
        self.container = format
        output = try AVIOOutputFile(path: path)
        sampleRate = Int32(clamped: demuxer.info.sampleRate.rounded())
        guard let parameters = demuxer.source.parameters else { throw Self.unsupported(container, path) }
        packet = av_packet_alloc()
        let status = avformat_alloc_output_context2(&muxer, nil, format.muxer, nil)
        guard status >= 0, let muxer, packet != nil, let stream = avformat_new_stream(muxer, nil) else {
            throw SyrinxError.outOfMemory(path.name)
        }
        muxer.pointee.pb = output.context
        muxer.pointee.flags |= AVFMT_FLAG_BITEXACT
        avcodec_parameters_copy(stream.pointee.codecpar, parameters)
        // The codec tag is specific to the source container.
        stream.pointee.codecpar.pointee.codec_tag = 0
        if format.delay == .tagOfLAME {
            stream.pointee.codecpar.pointee.initial_padding = Int32(clamping: self.lead)
        }
        stream.pointee.time_base = AVRational(num: 1, den: sampleRate)
        for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&muxer.pointee.metadata, key, value, 0)
        }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        // The tag would state a delay that decoders extend; without a tag, there is no delay.
        if format.delay == .tagOfLAME, self.lead < Self.layer3Delay { av_dict_set(&options, "write_xing", "0", 0) }
        output.prepare(format, muxer, sampleRate: sampleRate, &options)
        try output.begin()
        guard avformat_write_header(muxer, &options) >= 0 else {
            let message = "A .\(container) file cannot hold \(demuxer.info.codec)."
            throw SyrinxError(.unsupported, message, name: path.name)
        }
    }

    deinit {
        avformat_free_context(muxer)
        av_packet_free(&packet)
    }

    private static func unsupported(_ container: String, _ path: FilePath) -> SyrinxError {
        SyrinxError(.unsupported, "Packets cannot be copied into a .\(container) file.", name: path.name)
    }

    /// Writes a packet.
    /// - Parameters:
    ///   - frame: The first frame of the packet in the new file; negative before the start of the audio.
    ///   - span: The frames of the packet, and the number of frames that are not part of the new file.
    package func write(_ source: MediaPacket, at frame: Int64, _ span: CopiedPart.Span) throws(SyrinxError) {
        guard isOpen, let muxer, let packet, let stream = muxer.pointee.streams[0] else {
            throw SyrinxError(.finished, "It has already been finished or cancelled.", name: output.path)
        }
        try check(av_packet_ref(packet, source.box.packet))
        var frame = frame
        var length = span.count.subtractingClamped(span.endCut)
        if let bytesPerFrame {
            frame = frame.addingClamped(span.startCut)
            length = max(length.subtractingClamped(span.startCut), 0)
            cutBytes(of: packet, bytesPerFrame, span, length)
        }
        written = (written.count.addingClamped(span.count), span.endCut)
        packet.pointee.pts = frame
        packet.pointee.dts = frame
        packet.pointee.duration = length
        packet.pointee.pos = -1
        packet.pointee.stream_index = 0
        try stateTrim(of: packet, span.endCut)
        av_packet_rescale_ts(packet, AVRational(num: 1, den: sampleRate), stream.pointee.time_base)
        let status = packet.pointee.size > 0 ? av_interleaved_write_frame(muxer, packet) : 0
        av_packet_unref(packet)
        try check(status)
    }

    /// Removes the bytes of frames that are not part of the file.
    private func cutBytes(
        of packet: UnsafeMutablePointer<AVPacket>,
        _ bytesPerFrame: Int,
        _ span: CopiedPart.Span,
        _ length: Int64
    ) {
        let size = Int(packet.pointee.size)
        let start = min(Int(clamping: span.startCut).multipliedClamped(by: bytesPerFrame), size)
        // Bounded: `start` is at most the size.
        let count = min(Int(clamping: length).multipliedClamped(by: bytesPerFrame), size - start)
        // Bounded: the same.
        packet.pointee.data += start
        packet.pointee.size = Int32(clamping: count)
    }

    /// States the number of frames to drop, replacing the statement of the source container.
    private func stateTrim(of packet: UnsafeMutablePointer<AVPacket>, _ endCut: Int64) throws(SyrinxError) {
        var size = 0
        if let known = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size) {
            known.update(repeating: 0, count: size)
        }
        // For its tag, the MP3 muxer reads the start trim of any packet, and the end trim of the last. It needs ten
        // bytes.
        guard container.delay == .tagOfLAME, lead >= Self.layer3Delay else { return }
        let data =
            size >= 10
            ? av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, nil)
            : av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, 10)
        guard let data else { throw SyrinxError.outOfMemory(output.path) }
        data.update(repeating: 0, count: 10)
        for (offset, value) in [(0, lead), (4, endCut)] {
            let number = UInt32(clamping: value)
            for index in 0..<4 { data[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(index))) }
        }
    }

    /// Completes the container, and moves the file to its final name.
    package func finish() throws(SyrinxError) {
        guard isOpen else {
            throw SyrinxError(.finished, "It has already been finished or cancelled.", name: output.path)
        }
        try check(av_write_trailer(muxer))
        if container.delay == .packetTable, bytesPerFrame == nil {
            avio_flush(output.context)
            try statePacketTable()
        }
        try output.commit()
        isOpen = false
    }

    /// Writes the audible frame count to a CAF file's packet table, which the muxer does not do.
    private func statePacketTable() throws(SyrinxError) {
        guard let place = CAFPacketTable.offset(bytes: { output.read(at: $0, count: $1) }) else { return }
        let valid = max(written.count.subtractingClamped(lead).subtractingClamped(written.endCut), 0)
        try output.overwrite(
            CAFPacketTable.head(frameCount: valid, startSkip: lead, endSkip: written.endCut),
            at: place.addingClamped(8)
        )
    }

    /// Cancels writing, and removes the file.
    package func cancel() {
        guard isOpen else { return }
        isOpen = false
        output.abandon()
    }

    private func check(_ status: Int32) throws(SyrinxError) {
        if let failure = output.failure { throw failure }
        guard status < 0 else { return }
        cancel()
        let message = "A packet could not be written: \(describe(averror: status))."
        throw SyrinxError(.encodeFailed, message, name: output.path)
    }
}
