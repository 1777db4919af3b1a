internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// An open container: owns libavformat's context and the bridge beneath it.
///
/// One thread at a time.
final class LibavContext {
    let context: UnsafeMutablePointer<AVFormatContext>
    let bridge: AVIOBridge
    /// The description of the container.
    let container: Container
    /// The audio stream that is read; it belongs to `context`.
    let stream: UnsafeMutablePointer<AVStream>
    /// The offset of the first packet, if only an ID3v2 tag or nothing precedes it.
    let soundOffset: Int64
    /// The format of the samples in a stream without a header.
    let raw: RawSamples?
    /// The tracks of sound, one of which is read.
    let soundTracks: SoundTracks
    /// The choice among them, for when the recording is opened again.
    let choice: SoundTrackChoice?
    /// The parser of a FLAC file's frames.
    var splitter: FLACFrameParser?
    /// The splitter of free-format MP3 frames.
    var freeSplitter: FreeFormatSplitter?
    /// The number of bytes of noise before the first that belongs to the recording.
    ///
    /// `bridge` begins after them.
    let noiseSize: Int64
    /// The packets of a long MP4 file, of which libavformat's index has the first.
    let longTable: LongTable?
    /// The headers of the tracks of an MP4 file by their number; `nil` if libavformat applies their edit lists.
    let tracks: [Int32: MP4TrackHeader]?

    /// The tags that were read without libavformat, which has lost some of their values.
    let tags: TagList
    /// Tags that are used where all others lack a field.
    let spareTags: TagList
    /// The offset at which the tags behind the sound begin, or the file ends; `nil` if it is not known.
    let soundEnd: Int64?
    /// The chapters of a FLAC file's CUE sheet.
    let sheet: [MediaChapter]
    /// The picture that stands for the recording.
    let cover: Cover?

    var name: String { bridge.stream.name }

    /// Opens a container.
    /// - Parameters:
    ///   - stream: The bytes.
    ///   - raw: What the stream holds, if it is nothing but samples.
    ///   - choice: Chooses a track of sound where there are several.
    ///   - readTable: Reads the table of a long MP4 file. If the file cannot be opened with it, libavformat reads the whole table.
    /// - Throws: What `MediaDemuxer.open` does.
    static func open(
        _ stream: any ByteStream,
        raw: RawSamples? = nil,
        choosing choice: SoundTrackChoice? = nil,
        readingTable readTable: (AVIOBridge) -> MP4TableReader.Result? = LongTable.read(through:)
    ) throws(SyrinxError) -> LibavContext {
        var hasTable = false
        do throws(SyrinxError) {
            let format = try LibavContext(stream: stream, raw: raw, choosing: choice) { bridge in
                let table = readTable(bridge)
                hasTable = table != nil
                return table
            }
            guard format.longTable?.isUsable == false else { return format }
        } catch {
            guard hasTable, error.code != .cancelled else { throw error }
        }
        return try LibavContext(stream: stream, raw: raw, choosing: choice) { _ in nil }
    }

    /// Opens a container.
    /// - Parameters:
    ///   - stream: The bytes.
    ///   - raw: The samples that the stream consists of, if it has no header.
    ///   - choice: Chooses a track of sound where there are several.
    ///   - readTable: Reads the table of a long MP4 file, in place of libavformat; `nil` of it if libavformat is to do so.
    /// - Throws: What `open` does.
    private init(
        stream: any ByteStream,
        raw: RawSamples?,
        choosing choice: SoundTrackChoice?,
        readingTable readTable: (AVIOBridge) -> MP4TableReader.Result?
    ) throws(SyrinxError) {
        // It writes to standard error otherwise; what matters comes as an error. The whole process shares this level, and
        // nothing else in it uses FFmpeg.
        av_log_set_level(AV_LOG_QUIET)
        av_max_alloc(LibavOpening.largestAllocation)
        let (bridge, noiseSize) = try LibavOpening.bridge(to: stream, raw)
        self.bridge = bridge
        self.noiseSize = noiseSize
        self.raw = raw
        self.choice = choice
        let stream = bridge.stream
        let plan = try LibavOpening.plan(for: bridge, raw)
        soundOffset = plan.soundOffset
        bridge.watch(at: plan.soundOffset)
        bridge.setSeekable(stream.isSeekable && !plan.isForwardOnly)
        bridge.limitReading(to: LibavOpening.largestHeader)
        let front = TagsAtEdges.front(of: bridge, plan.tags)
        bridge.prepareForOgg()
        let tracks = plan.format == nil ? MP4TrackHeader.read(through: bridge) : nil
        self.tracks = tracks
        let table = tracks == nil ? nil : readTable(bridge)
        for correction in table?.corrections ?? [] { bridge.replace(correction.bytes, at: correction.offset) }
        do throws(SyrinxError) {
            context = try LibavOpening.open(bridge, plan, raw)
        } catch {
            throw bridge.isOverBudget ? LibavOpening.tooLargeHeader(bridge) : error
        }
        bridge.setBlank(nil)
        let found = plan.freeFormat == nil ? Container.of(context) : .mp3
        container = found.variant?(bridge) ?? found
        splitter = found.makeParser(context)
        do throws(SyrinxError) {
            let (tracks, found) = try LibavOpening.findAudio(in: context, container, bridge, choosing: choice)
            if bridge.isOverBudget { throw LibavOpening.tooLargeHeader(bridge) }
            try LibavOpening.checkIndex(of: found, container, bridge)
            plan.freeFormat?.describe(found)
            if let codec = plan.samples?.codec { found.pointee.codecpar?.pointee.codec_id = codec }
            longTable = if let table { LongTable(table, context, found) } else { nil }
            (tags, spareTags, soundEnd) = TagsAtEdges.ordered(container, front: front, bridge)
            sheet = LibavOpening.cueSheet(in: context, container, plan, found, bridge)
            cover = Cover.best(in: context, tags, spare: spareTags)
            // Last: from here on deinit closes what is closed below.
            self.stream = found
            soundTracks = tracks
        } catch {
            var context: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&context)
            throw bridge.isOverBudget ? LibavOpening.tooLargeHeader(bridge) : error
        }
        freeSplitter = plan.freeFormat.map(FreeFormatSplitter.init)
        bridge.limitReading(to: .max)
        bridge.endsWhereCut = true
        bridge.forgetFront()
        bridge.setSeekable(stream.isSeekable)
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    // MARK: Reading

    /// So many damaged places are passed over before the rest is given up.
    private static let patience = 1024
    /// So often it may fail without moving on: what it has buffered may hold several damaged packets.
    private static let stuckPatience = 32

    /// Returns the error for a missing packet where the stream has failed.
    private func error(_ failure: SyrinxError) -> SyrinxError {
        guard failure.code == .notSeekable, container.countIndexed != nil else { return failure }
        let message =
            "Its index lies at its end, and the server gives it from front to end only: it can be heard when it is downloaded."
        return SyrinxError(.notSeekable, message, name: name)
    }

    /// Reads the next packet of the audio stream; false at the end.
    func readPacket(into packet: UnsafeMutablePointer<AVPacket>) throws(SyrinxError) -> Bool {
        if splitter != nil { return try readFrame(into: packet) }
        return freeSplitter == nil ? try readChunk(into: packet) : try readFreeFrame(into: packet)
    }

    /// Calls libavformat where it may go to the place of a seek: after a failure it does not read through what lies before.
    func jump(_ body: () -> Int32) -> Int32 {
        guard bridge.hasJustFailed, container.seeksDirectly else { return body() }
        return bridge.jump(body)
    }

    /// Goes to the last packet whose timestamp is not behind `timestamp`, or where the container has none, near it.
    /// - Returns: A negative number of libavformat's if that cannot be done.
    func seek(toTimestamp timestamp: Int64) -> Int32 {
        if let longTable {
            longTable.seek(to: timestamp)
            return 0
        }
        return jump { av_seek_frame(context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD) }
    }

    /// Continues at `offset` of the file.
    /// - Returns: A negative number of libavformat's if that cannot be done.
    func seek(toOffset offset: Int64) -> Int32 {
        bridge.jump { av_seek_frame(context, stream.pointee.index, offset, AVSEEK_FLAG_BYTE) }
    }

    /// Records that the next packet does not follow the last one.
    func breakOff() {
        splitter?.breakOff()
        freeSplitter?.breakOff()
    }

    /// Reads what libavformat has next of the audio stream: a packet, or some bytes of a FLAC file; false at the end.
    func readChunk(into packet: UnsafeMutablePointer<AVPacket>) throws(SyrinxError) -> Bool {
        var damaged = 0
        var stuck = 0
        while true {
            let before = avio_tell(bridge.context)
            // In MP4 only this goes to the place of a seek.
            let status = jump { longTable?.readPacket(into: packet) ?? av_read_frame(context, packet) }
            if let failure = bridge.failure {
                // The last packet may have been cut short by the failure, without a sign of it.
                av_packet_unref(packet)
                throw error(failure)
            }
            if status >= 0 {
                // Of samples without a header, a part of a frame may be left at the end, which is none.
                // Bounded: a remainder is no more than the size.
                if let raw { av_shrink_packet(packet, packet.pointee.size - packet.pointee.size % raw.bytesPerFrame) }
                if packet.pointee.stream_index == stream.pointee.index, packet.pointee.size > 0 { return true }
                av_packet_unref(packet)
                continue
            }
            if status == syrinx_error_out_of_memory() { throw LibavOpening.tooLargeTable(name) }
            damaged += 1
            stuck = avio_tell(bridge.context) <= before ? stuck + 1 : 0
            let isHopeless = damaged > Self.patience || stuck > Self.stuckPatience
            if status != syrinx_error_invalid_data() || isHopeless { return false }
        }
    }

    // MARK: Description

    /// Takes the stream's properties, so that later ones do not come on top of them.
    func takeStreamTags() -> [String: String] {
        var tags: [String: String] = [:]
        tags.merge(stream.pointee.metadata)
        av_dict_free(&stream.pointee.metadata)
        return tags.withoutMaking
    }

    /// The frames that the timestamps or the header state; `nil` if libavformat only estimates them.
    func statedFrameCount(_ timing: PacketTimeline) -> Int64? {
        guard timing.method == .timestamps, stream.pointee.duration > 0,
            context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
        else { return nil }
        return timing.frameCount(ofTicks: stream.pointee.duration)
    }

    /// Whether there are moving pictures besides the sound.
    var hasMovingPictures: Bool {
        (0..<Int(context.pointee.nb_streams)).contains { index in
            context.pointee.streams[index].map(VideoContainer.isPictures) ?? false
        }
    }

    /// The description of the moving pictures besides the sound; `nil` without any, or if too little was read to describe them.
    /// - Throws: `.unsupported` or `.corrupt` if they cannot be decoded.
    func describePictures() throws(SyrinxError) -> VideoInfo? {
        let best = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        guard best >= 0, let pictures = context.pointee.streams[Int(best)], VideoContainer.isPictures(pictures),
            let parameters = pictures.pointee.codecpar, parameters.pointee.width > 0
        else { return nil }
        try VideoContainer.check(pictures, parameters, name)
        _ = try VideoDecoder(pictures, name: name)
        return VideoDescriber(pictures, in: context, bridge).info
    }
}
