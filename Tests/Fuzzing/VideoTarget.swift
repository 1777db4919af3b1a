import SyrinxByteStream
import SyrinxMediaCodec

/// The moving pictures of a file: decoded, sought, converted, and read as packets.
enum VideoTarget {
    /// The seeds have no more than a few; what gives more takes time.
    private static let mostPictures = 40
    /// Pictures larger than this are decoded, but not converted: that would only take time.
    private static let mostPixels = 1 << 18

    static func run(_ bytes: [UInt8]) {
        readPackets(bytes)
        guard let reader = try? VideoReader.open(MemoryByteStream(bytes)) else { return }
        let info = reader.info
        precondition(info.width > 0 && info.height > 0 && info.timeBase.value > 0, "a form that cannot be")
        let converter = PictureConverter(name: "fuzz")
        let format = PictureFormat.allCases[Int(bytes.last ?? 0) % PictureFormat.allCases.count]
        var before: Int64?
        for _ in 0..<mostPictures {
            guard let frame = (try? reader.next()) ?? nil else { break }
            precondition(before.map { frame.start >= $0 } ?? true, "a picture before the one that it follows")
            precondition(frame.duration >= 0, "a picture of less than no time")
            before = frame.start
            convert(frame, format, converter)
        }
        let middle = (before ?? 0) / 2
        for time in [middle, .min, Int64(bytes.last ?? 0) << 10, .max, middle] {
            guard (try? reader.seek(to: time)) != nil else { continue }
            _ = try? reader.next()
            guard (try? reader.seek(to: time, orFrom: .min)) != nil else { continue }
            _ = try? reader.next()
        }
    }

    private static func readPackets(_ bytes: [UInt8]) {
        guard let reader = try? VideoReader.open(MemoryByteStream(bytes)) else { return }
        try? reader.seekPacket(to: Int64(bytes.first ?? 0) << 8)
        var count = 0
        while count < 1000, let packet = (try? reader.nextPacket()) ?? nil {
            precondition(packet.duration >= 0, "a packet of less than no time")
            count += 1
        }
        if let demuxer = try? MediaDemuxer.open(MemoryByteStream(bytes)) { _ = try? demuxer.describePictures() }
    }

    private static func convert(_ frame: VideoFrame, _ format: PictureFormat, _ converter: PictureConverter) {
        guard frame.width * frame.height <= mostPixels else { return }
        let (width, height) = (max(frame.width / 2, 1), max(frame.height / 2, 1))
        // Room for every format: four bytes a pixel, in rows of their own for each plane.
        let rowSize = (width * 4 + 63) / 64 * 64
        let plane = rowSize * height
        let memory = UnsafeMutableRawPointer.allocate(byteCount: plane * 3 + 64, alignment: 64)
        defer { memory.deallocate() }
        let planes = (0..<planeCount(format)).map { index in
            PicturePlane(base: memory + plane * index, bytesPerRow: rowSize)
        }
        try? converter.convert(frame, to: format, width: width, height: height, planes: planes)
    }

    private static func planeCount(_ format: PictureFormat) -> Int {
        switch format {
        case .biplanar420: 2
        case .planar420: 3
        default: 1
        }
    }
}
