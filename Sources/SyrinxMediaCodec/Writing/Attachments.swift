internal import CSyrinxFFmpeg
internal import Foundation

/// Adds chapters and a cover picture to a file that is being written.
struct Attachments {
    let muxer: UnsafeMutablePointer<AVFormatContext>
    let container: OutputContainer

    /// Adds the chapters; call it before the header is written.
    ///
    /// Chapters that the container cannot store are omitted.
    func add(_ chapters: [MediaChapter]) {
        guard !chapters.isEmpty else { return }
        guard !container.hasChaptersAsComments else { return addAsComments(chapters) }
        guard let memory = av_calloc(chapters.count, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride) else {
            return
        }
        let list = memory.bindMemory(to: UnsafeMutablePointer<AVChapter>?.self, capacity: chapters.count)
        var count: UInt32 = 0
        for chapter in chapters {
            guard let memory = av_mallocz(MemoryLayout<AVChapter>.size) else { break }
            let item = memory.bindMemory(to: AVChapter.self, capacity: 1)
            item.pointee.id = Int64(count)
            item.pointee.time_base = AVRational(num: 1, den: 1000)
            item.pointee.start = Self.milliseconds(chapter.start)
            item.pointee.end = max(Self.milliseconds(chapter.end), item.pointee.start)
            if let title = chapter.title { av_dict_set(&item.pointee.metadata, "title", title, 0) }
            list[Int(count)] = item
            count += 1
        }
        // From now on the muxer owns the chapters and frees them.
        muxer.pointee.chapters = list
        muxer.pointee.nb_chapters = count
    }

    /// Adds chapters as comments, such as `CHAPTER001=00:00:00.000` and `CHAPTER001NAME=…`.
    private func addAsComments(_ chapters: [MediaChapter]) {
        for (index, chapter) in chapters.enumerated() {
            let key = "CHAPTER" + Self.padded(index + 1, 3)
            let time = Self.milliseconds(chapter.start)
            let clock = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60].map { Self.padded(Int($0), 2) }
            av_dict_set(
                &muxer.pointee.metadata,
                key,
                clock.joined(separator: ":") + "." + Self.padded(Int(time % 1000), 3),
                0
            )
            if let title = chapter.title { av_dict_set(&muxer.pointee.metadata, key + "NAME", title, 0) }
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }

    private static func milliseconds(_ seconds: Double) -> Int64 {
        Int64(exactly: (seconds * 1000).rounded()) ?? 0
    }

    /// Prepares the container for the picture; call it before the header is written.
    ///
    /// A picture that the container cannot store is omitted.
    /// - Returns: The stream for `write(_:to:)`, if the container stores the picture in a stream.
    func add(_ picture: MediaPicture?) -> UnsafeMutablePointer<AVStream>? {
        guard let picture, let codec = Self.codec(picture.mimeType) else { return nil }
        if container.picture == .comment {
            av_dict_set(&muxer.pointee.metadata, "METADATA_BLOCK_PICTURE", Self.block(picture), 0)
            return nil
        }
        guard picture.data.count < container.largestPicture, container.picture == .stream,
            let stream = avformat_new_stream(muxer, nil),
            let parameters = stream.pointee.codecpar
        else { return nil }
        parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        parameters.pointee.codec_id = codec
        let longestSide = container.longestPictureSide
        parameters.pointee.width = Int32(clamping: min(max(picture.width, 1), longestSide))
        parameters.pointee.height = Int32(clamping: min(max(picture.height, 1), longestSide))
        parameters.pointee.format = (codec == AV_CODEC_ID_PNG ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_YUVJ420P).rawValue
        stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
        stream.pointee.time_base = AVRational(num: 1, den: 90000)
        // ID3's name of a front cover.
        av_dict_set(&stream.pointee.metadata, "comment", "Cover (front)", 0)
        return stream
    }

    /// Writes the picture; call it after the header has been written.
    func write(_ picture: MediaPicture, to stream: UnsafeMutablePointer<AVStream>) -> Int32 {
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet, av_new_packet(packet, Int32(clamping: picture.data.count)) >= 0,
            let data = packet.pointee.data
        else { return syrinx_error_out_of_memory() }
        picture.data.withUnsafeBufferPointer { bytes in
            if let base = bytes.baseAddress { data.update(from: base, count: bytes.count) }
        }
        packet.pointee.stream_index = stream.pointee.index
        packet.pointee.pts = 0
        packet.pointee.dts = 0
        packet.pointee.flags |= AV_PKT_FLAG_KEY
        return av_interleaved_write_frame(muxer, packet)
    }

    private static func codec(_ mimeType: String) -> AVCodecID? {
        switch mimeType {
        case "image/jpeg": AV_CODEC_ID_MJPEG
        case "image/png": AV_CODEC_ID_PNG
        default: nil
        }
    }

    /// Returns a FLAC picture block in Base64, as Ogg stores it.
    private static func block(_ picture: MediaPicture) -> String {
        let number = { (value: Int) in (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        // 3 means front cover; the color depth and the number of colors are unknown.
        let bytes =
            // Bounded: these are the bytes of numbers, joined.
            number(3) + number(picture.mimeType.utf8.count) + Array(picture.mimeType.utf8) + number(0)
            + number(picture.width) + number(picture.height) + number(24) + number(0) + number(picture.data.count)
            + picture.data
        return Data(bytes).base64EncodedString()
    }
}
