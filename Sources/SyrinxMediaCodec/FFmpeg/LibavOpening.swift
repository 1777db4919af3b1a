internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Detects a container format, opens it with libavformat within limits, and finds its audio stream.
enum LibavOpening {
    /// libavformat's names of the supported containers.
    private static let formats = Container.known.map(\.demuxer).joined(separator: ",")

    /// The largest allocation that FFmpeg may make, in bytes, because it trusts the sizes that a file states.
    ///
    /// The limit allows any picture, and the index of 36 hours of AAC at 44.1 kHz (24 bytes per packet). For a local
    /// MP4 file with a usual table, the index contains only the first packets: see `LongTable`.
    static let largestAllocation = 128 << 20

    /// The number of bytes that libavformat may read to open a file; it keeps all tags, pictures and tables in memory.
    ///
    /// Copying a picture to another file takes three times its size in memory.
    static let largestHeader: Int64 = 64 << 20

    /// libavformat's score of a chance match: a few frames that look valid among many that do not.
    private static let weakestProbe: Int32 = 2

    /// Returns the bridge that libavformat reads: to the stream, or to the part after leading noise.
    static func bridge(
        to stream: any ByteStream,
        _ raw: RawSamples?
    ) throws(SyrinxError) -> (AVIOBridge, noiseSize: Int64) {
        let bridge = try AVIOBridge(stream: stream)
        guard raw == nil, knownFormat(of: stream) == nil, FormatProbe.mayBeNoise(bridge.head),
            let size = OggNoise.size(before: bridge)
        else {
            return (bridge, 0)
        }
        let part =
            stream.length.map { SubrangeByteStream(stream, size..<max($0, size)) }
            ?? SubrangeByteStream(stream, from: size)
        return (try AVIOBridge(stream: part), size)
    }

    private static func knownFormat(of stream: any ByteStream) -> String? {
        (stream as? any FormattedByteStream)?.format
    }

    /// The way to open a container, decided by its first bytes.
    struct Plan {
        /// The offset of the first packet, if only an ID3v2 tag or nothing precedes it.
        var soundOffset: Int64 = 0
        /// The number of bytes at the start that are hidden from libavformat.
        var junkSize: Int64 = 0
        /// libavformat's name of the format, if it is certain.
        var format: String?
        /// Whether opening needs no bytes from the end of the file.
        var isForwardOnly = false
        /// The free-format MP3 stream, which libavformat does not detect.
        var freeFormat: FreeFormatStream?
        /// The samples of an AIFF-C file, if libavformat would decode them wrongly.
        var samples: AIFFSamples?
        /// Whether the file is a still picture, which is accepted only by a reader of pictures.
        var isStill = false
        /// The file ranges of the ID3v2 tags at the start.
        var tags: [Range<Int64>] = []
    }

    static func plan(for bridge: AVIOBridge, _ raw: RawSamples?) throws(SyrinxError) -> Plan {
        let head = bridge.head
        // Any bytes are valid samples.
        if let raw, !head.isEmpty { return Plan(format: raw.encoding.rawValue) }
        let isRemote = bridge.stream.isRemote
        if let known = knownFormat(of: bridge.stream), !head.isEmpty { return Plan(format: known, isForwardOnly: true) }
        switch FormatProbe.kind(of: head) {
        case .empty:
            let message = bridge.stream.isSeekable ? "The file is empty." : "The input is empty."
            throw SyrinxError(.empty, message, name: bridge.stream.name)
        case .text(let what): throw notAudio(what, bridge)
        case .tagged:
            let survey = surveyTags(bridge)
            let end = survey.end
            var found =
                if let free = freeFormat(at: end, in: bridge) {
                    plan(for: free, at: end, isRemote)
                } else {
                    Plan(
                        soundOffset: end,
                        format: rawFormat(
                            end < Int64(bridge.head.count)
                                ? Array(bridge.head[Int(end)...]) : bridge.peek(at: end, count: 1024),
                            bridge.stream
                        ),
                        isForwardOnly: isRemote
                    )
                }
            found.tags = survey.tags
            return found
        case .mpegAudio, .adts:
            if let format = FormatProbe.rawFormat(of: head) { return Plan(format: format, isForwardOnly: isRemote) }
            return planAmongFrames(bridge) ?? Plan(isForwardOnly: isRemote)
        case .flac: return Plan(format: "flac", isForwardOnly: isRemote)
        case .wave: return Plan(format: "wav", isForwardOnly: isRemote)
        case .other:
            for correction in AIFFRepair.corrections(of: bridge) {
                bridge.replace(correction.bytes, at: correction.offset)
            }
            if let samples = AIFFRepair.samples(of: bridge) {
                bridge.replace(samples.correction.bytes, at: samples.correction.offset)
                return Plan(samples: samples)
            }
            if let free = freeFormat(at: 0, in: bridge) { return plan(for: free, at: 0, isRemote) }
            guard let start = FormatProbe.junkBeforeFLAC(head) else { return planAmongFrames(bridge) ?? Plan() }
            return Plan(soundOffset: start, junkSize: start, format: "flac", isForwardOnly: isRemote)
        }
    }

    private static func freeFormat(at offset: Int64, in bridge: AVIOBridge) -> FreeFormatStream? {
        FreeFormatStream(at: offset) { bridge.lookFar(at: $0, count: $1) }
    }

    private static func plan(for free: FreeFormatStream, at offset: Int64, _ isRemote: Bool) -> Plan {
        Plan(soundOffset: offset, format: RawSamples.Encoding.u8.rawValue, isForwardOnly: isRemote, freeFormat: free)
    }

    /// Returns the plan for a stream that starts within a frame.
    ///
    /// libavformat needs 64 KiB to be certain of the format, which take seconds in a live stream.
    private static func planAmongFrames(_ bridge: AVIOBridge) -> Plan? {
        guard !bridge.stream.isSeekable, let (start, format) = FormatProbe.rawFrames(in: bridge.head) else {
            return nil
        }
        return Plan(soundOffset: Int64(start), junkSize: Int64(start), format: format, isForwardOnly: true)
    }

    /// Returns a scanner of the ID3v2 tags at the start, with corrected sizes for libavformat.
    private static func surveyTags(_ bridge: AVIOBridge) -> ID3v2Scanner {
        let stream = bridge.stream
        let survey = ID3v2Scanner(length: stream.length, looksAhead: stream.isSeekable) {
            bridge.look(at: $0, count: $1)
        }
        for correction in survey.corrections { bridge.replace(correction.bytes, at: correction.offset) }
        return survey
    }

    /// Returns the format of the data after an ID3v2 tag.
    ///
    /// libavformat does not detect it after a large tag, such as one with a picture.
    private static func rawFormat(_ head: [UInt8], _ stream: any ByteStream) -> String? {
        if let format = FormatProbe.rawFormat(of: head) { return format }
        guard head.isEmpty else { return nil }
        return ["audio/aac": "aac", "audio/aacp": "aac", "audio/flac": "flac"][stream.mimeType ?? ""] ?? "mp3"
    }

    static func open(
        _ bridge: AVIOBridge,
        _ plan: Plan,
        _ raw: RawSamples?
    ) throws(SyrinxError) -> UnsafeMutablePointer<AVFormatContext> {
        guard let allocated = avformat_alloc_context() else { throw SyrinxError.outOfMemory(bridge.stream.name) }
        allocated.pointee.pb = bridge.context
        // Unretained: the bridge outlives the context.
        allocated.pointee.interrupt_callback = AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<AVIOBridge>.fromOpaque(opaque).takeUnretainedValue().failure == nil ? 0 : 1
            },
            opaque: Unmanaged.passUnretained(bridge).toOpaque()
        )
        let isRemote = bridge.stream.isRemote
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        let hasOwnFormat = plan.freeFormat != nil || plan.isStill
        let ownFormat = raw?.encoding.rawValue ?? (hasOwnFormat ? plan.format : nil)
        av_dict_set(&options, "format_whitelist", ownFormat ?? formats, 0)
        raw?.set(&options)
        // No protocol has this name, so URLs inside a file are never opened.
        av_dict_set(&options, "protocol_whitelist", "none", 0)
        av_dict_set_int(&options, "skip_initial_bytes", plan.junkSize, 0)
        av_dict_set(&options, "format_probesize", isRemote ? "65536" : "262144", 0)
        let probeSize = isRemote ? Container.named(plan.format ?? "").remoteProbeSize : 1_000_000
        av_dict_set_int(&options, "probesize", Int64(probeSize), 0)
        av_dict_set(&options, "analyzeduration", isRemote ? "1000000" : "5000000", 0)
        var context: UnsafeMutablePointer<AVFormatContext>? = allocated
        let format = plan.format.flatMap { av_find_input_format($0) }
        // On failure this frees the context.
        let status = avformat_open_input(&context, nil, format, &options)
        guard status >= 0, let context else { throw refusal(bridge, status) }
        guard format != nil || context.pointee.probe_score > weakestProbe else {
            var context: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&context)
            throw refusal(bridge, syrinx_error_invalid_data())
        }
        return context
    }

    /// Returns the chapters of a FLAC file's CUE sheet.
    static func cueSheet(
        in context: UnsafeMutablePointer<AVFormatContext>,
        _ container: Container,
        _ plan: Plan,
        _ stream: UnsafeMutablePointer<AVStream>,
        _ bridge: AVIOBridge
    ) -> [MediaChapter] {
        // libavformat reports chapters only if the file has a CUE sheet block with tracks.
        guard container.name == Container.flac.name, context.pointee.nb_chapters > 0, bridge.stream.isSeekable,
            let rate = stream.pointee.codecpar?.pointee.sample_rate
        else { return [] }
        return FLACCueSheet.chapters(at: plan.soundOffset, sampleRate: Int(rate)) { bridge.lookFar(at: $0, count: $1) }
    }

    static func tooLargeHeader(_ bridge: AVIOBridge) -> SyrinxError {
        let message = "Its tags, pictures and tables take more than \(largestHeader >> 20) MiB."
        return SyrinxError(.unsupported, message, name: bridge.stream.name)
    }

    /// Returns the error for a table that is larger than `largestAllocation`, or claims to be.
    ///
    /// A local MP4 file of that length must have an unusual table, because `LongTable` reads the usual ones.
    static func tooLargeTable(_ name: String) -> SyrinxError {
        let message =
            "One of its tables takes more than \(largestAllocation >> 20) MiB: it is damaged, or a recording of more than "
            + "about 36 hours. That can be read from a local file with a table of the usual kind, or when it is cut into parts."
        return SyrinxError(.outOfMemory, message, name: name)
    }

    /// Checks that libavformat's index is complete; if it is too large, libavformat returns no packets and no error.
    static func checkIndex(
        of stream: UnsafeMutablePointer<AVStream>,
        _ container: Container,
        _ bridge: AVIOBridge
    ) throws(SyrinxError) {
        guard let countIndexed = container.countIndexed, avformat_index_get_entries_count(stream) == 0 else { return }
        let count = countIndexed(bridge) ?? 0
        let size = Int64(MemoryLayout<AVIndexEntry>.stride)
        if count > Int64(largestAllocation) / size { throw tooLargeTable(bridge.stream.name) }
    }

    private static func refusal(_ bridge: AVIOBridge, _ status: Int32) -> SyrinxError {
        let name = bridge.stream.name
        if let failure = bridge.failure { return failure }
        if status == syrinx_error_out_of_memory() { return tooLargeTable(name) }
        if bridge.head.dropFirst(4).starts(with: "ftyp".utf8) {
            let message = "It is an MP4 file that is cut off or damaged: its index (moov) cannot be read."
            return SyrinxError(.truncated, message, name: name)
        }
        if bridge.head.starts(with: "caff".utf8) {
            let message = "It is a Core Audio file that is cut off or damaged: its packet table cannot be read."
            return SyrinxError(.truncated, message, name: name)
        }
        let known = FormatProbe.kind(of: bridge.head) != .other
        if !known, let what = DocumentKind.name(of: bridge.head) { return notAudio(what, bridge) }
        let message = known ? "Its header is damaged or cut off." : "It is not audio in a known format."
        return SyrinxError(known ? .corrupt : .notAudio, message, name: name)
    }

    /// Returns the error for a file of another kind, such as `a text file`.
    private static func notAudio(_ what: String, _ bridge: AVIOBridge) -> SyrinxError {
        let sender = bridge.stream.isRemote ? "The server sent" : "This is"
        return SyrinxError(.notAudio, "\(sender) \(what), not audio.", name: bridge.stream.name)
    }

    /// Returns the audio tracks and the stream of the one that `choice` selects.
    static func findAudio(
        in context: UnsafeMutablePointer<AVFormatContext>,
        _ container: Container,
        _ bridge: AVIOBridge,
        choosing choice: SoundTrackChoice?
    ) throws(SyrinxError) -> (tracks: SoundTracks, stream: UnsafeMutablePointer<AVStream>) {
        let name = bridge.stream.name
        let status = avformat_find_stream_info(context, nil)
        if let failure = bridge.failure, failure.code == .cancelled || status < 0 { throw failure }
        guard status >= 0 else { throw refusal(bridge, status) }
        // Prefer streams that can be decoded.
        var decoder: UnsafePointer<AVCodec>?
        let best = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, &decoder, 0)
        guard best >= 0, context.pointee.streams[Int(best)] != nil else {
            if let failure = bridge.failure { throw failure }
            throw SoundTracks.noSound(in: context, name)
        }
        var tracks = SoundTracks(in: context, best: Int(best), offersOthers: container.offersTracks)
        tracks.choose(choice)
        for index in 0..<Int(context.pointee.nb_streams) where index != tracks.streamIndex {
            context.pointee.streams[index]?.pointee.discard = AVDISCARD_ALL
        }
        guard let stream = context.pointee.streams[tracks.streamIndex], let parameters = stream.pointee.codecpar,
            parameters.pointee.sample_rate > 0,
            parameters.pointee.ch_layout.nb_channels > 0
        else {
            if let failure = bridge.failure { throw failure }
            throw SyrinxError(.corrupt, "No sound could be found in it: it is damaged or cut off.", name: name)
        }
        let channelCount = parameters.pointee.ch_layout.nb_channels
        guard channelCount <= StatedLimits.channelCount else {
            let message = "It states \(channelCount) channels; up to \(StatedLimits.channelCount) can be read."
            throw SyrinxError(.unsupported, message, name: name)
        }
        guard parameters.pointee.sample_rate <= StatedLimits.sampleRate else {
            let message =
                "It states a sample rate of \(parameters.pointee.sample_rate) Hz; up to \(StatedLimits.sampleRate) Hz can be read."
            throw SyrinxError(.unsupported, message, name: name)
        }
        return (tracks, stream)
    }
}
