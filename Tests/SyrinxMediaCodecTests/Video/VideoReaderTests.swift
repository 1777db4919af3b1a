import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Reading moving pictures.
@Suite struct VideoReaderTests {
    /// The formats whose every packet has a timestamp.
    static let timed = VideoFiles.encodings.map(\.name).filter { !untimed.contains($0) }
    /// The formats that state the times of some pictures only, or those of decoding.
    static let untimed = [
        "h264.avi", "mpeg4.avi", "open-groups.avi", "mpeg2.mpg", "mpeg1.mpg", "h264.mpg", "large.mpg", "large-h264.mpg",
    ]

    @Test("Frames have the same times as in FFprobe", arguments: timed)
    func picturesHaveTheTimesThatFFprobeStates(_ name: String) throws {
        let scratch = try ScratchDirectory()
        let url = try VideoFiles.make(name, in: scratch)
        let reader = try VideoReader.open(url)
        let frames = try reader.readAll()
        let stated = try FFprobe.pictures(url.path, "frame=best_effort_timestamp").map { Int64($0.first ?? "") }
        // Those of a broadcast count from anywhere.
        let origin = name.hasSuffix(".ts") ? stated.first.flatMap { $0 } ?? 0 : 0
        #expect(frames.count == 100)
        for (index, (frame, time)) in zip(frames, stated).enumerated() {
            if let time { #expect(abs(frame.start - (time - origin)) <= 1, "picture \(index)") }
        }
        #expect(try frames.map { try $0.number() } == Array(0..<100))
        // Each lasts up to the next.
        for (frame, following) in zip(frames, frames.dropFirst()) { #expect(frame.end == following.start) }
        let last = try #require(frames.last)
        #expect(abs(reader.info.seconds(last.duration) - 0.04) < 0.002)
    }

    @Test("Frames without timestamps are timed by their index", arguments: untimed)
    func picturesWithoutTimesOfTheirOwnHaveThoseOfTheirNumbers(_ name: String) throws {
        let scratch = try ScratchDirectory()
        let reader = try VideoReader.open(VideoFiles.make(name, in: scratch))
        let frames = try reader.readAll()
        #expect(try frames.map { try $0.number() } == Array(0..<100))
        for (index, frame) in frames.enumerated() {
            #expect(abs(reader.info.seconds(frame.start) - Double(index) / 25) < 1e-4, "picture \(index)")
            #expect(abs(reader.info.seconds(frame.duration) - 0.04) < 1e-4, "picture \(index)")
        }
    }

    @Test("The video of a broadcast stays in sync with its sound")
    func picturesOfABroadcastStayWithTheirSound() throws {
        let scratch = try ScratchDirectory()
        for name in ["film.mpg", "film.avi"] {
            let codec = name == "film.mpg" ? ["-c:v", "mpeg2video", "-c:a", "mp2"] : ["-c:v", "mpeg4", "-c:a", "mp3"]
            let url = try scratch.make(
                ["-f", "lavfi", "-i", NumberedPictures.source(seconds: 2), "-f", "lavfi", "-i", "sine=d=2"] + codec
                    + ["-bf", "2", "-q:v", "2", name]
            )
            let reader = try VideoReader.open(url)
            let frames = try reader.readAll()
            #expect(try frames.map { try $0.number() } == Array(0..<50))
            // The delay of the sound's encoder, and no picture more.
            let first = reader.info.seconds(frames[0].start)
            #expect((0..<0.03).contains(first), "\(name)")
            for (index, frame) in frames.enumerated() {
                #expect(abs(reader.info.seconds(frame.start) - first - Double(index) / 25) < 1e-4, "\(name) \(index)")
            }
        }
    }

    @Test("A seek gives the frame at that time", arguments: VideoFiles.encodings.map(\.name))
    func aSeekGivesThePictureOfItsTime(_ name: String) throws {
        let scratch = try ScratchDirectory()
        let url = try VideoFiles.make(name, in: scratch)
        let reader = try VideoReader.open(url)
        let all = try VideoReader.open(url).readAll()
        var random = SplitMix64(seed: 7)
        for _ in 0..<40 {
            let index = Int.random(in: 0..<100, using: &random)
            let frame = all[index]
            let time = frame.start + Int64.random(in: 0..<max(frame.duration, 1), using: &random)
            try reader.seek(to: time)
            let found = try #require(try reader.next())
            #expect(found.start == frame.start)
            #expect(try found.number() == index, "to picture \(index)")
            // And reading goes on from there.
            if index < 99 { #expect(try reader.next()?.start == all[index + 1].start) }
        }
        try reader.seek(to: -1000)
        #expect(try reader.next()?.number() == 0)
        try reader.seek(to: .max)
        #expect(try reader.next()?.number() == 99)
        #expect(try reader.next() == nil)
    }

    @Test("The times of a variable frame rate are kept")
    func timesOfAVaryingRateAreKept() throws {
        let scratch = try ScratchDirectory()
        let source = NumberedPictures.source(seconds: 4) + ",select='not(mod(n,7))+not(mod(n,3))'"
        let url = try scratch.make([
            "-f", "lavfi", "-i", source, "-vsync", "vfr", "-c:v", "libx264", "-crf", "8", "a.mp4",
        ])
        let reader = try VideoReader.open(url)
        let kept = (0..<100).filter { $0 % 7 == 0 || $0 % 3 == 0 }
        let frames = try reader.readAll()
        #expect(try frames.map { try $0.number() } == kept)
        for (frame, number) in zip(frames, kept) {
            #expect(abs(reader.info.seconds(frame.start) - Double(number) / 25) < 1e-9)
        }
        for number in 0..<99 {
            try reader.seek(to: reader.info.ticks(Double(number) / 25))
            #expect(try reader.next()?.number() == kept.last { $0 <= number })
        }
    }

    @Test("The information describes the video stream")
    func theInformationIsThatOfTheStream() throws {
        let scratch = try ScratchDirectory()
        let source = NumberedPictures.source(seconds: 2, rate: "30000/1001")
        let url = try scratch.make([
            "-f", "lavfi", "-i", source, "-vf", "setsar=4/3", "-c:v", "libx264", "-bf", "0", "a.mp4",
        ])
        let info = try VideoReader.open(url).info
        #expect(info.width == 64 && info.height == 48 && info.codec == "h264" && info.codecTag == 0x6176_6331)
        #expect(info.frameRate?.numerator == 30000 && info.frameRate?.denominator == 1001)
        #expect(info.pixelAspectRatio.numerator == 4 && info.pixelAspectRatio.denominator == 3)
        #expect(info.displayMatrix == nil && info.start == 0 && info.extraData.first == 1)
        let duration = info.seconds(try #require(info.duration))
        #expect(abs(duration - 2) < 0.04)
    }

    @Test("Packets are read in file order")
    func packetsComeInTheOrderOfTheFile() throws {
        let scratch = try ScratchDirectory()
        let url = try VideoFiles.make("b-frames.mp4", in: scratch)
        let reader = try VideoReader.open(url)
        var packets: [VideoPacket] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        // Later versions add flags.
        let stated = try FFprobe.pictures(url.path, "packet=pts,dts,size,flags").map { fields in
            fields.map { $0.hasPrefix("K") || $0.hasPrefix("_") ? String($0.prefix(2)) : $0 }
        }
        let found = packets.map { packet in
            let numbers = [packet.start ?? .min, packet.decodeTime ?? .min, Int64(packet.data.count)]
            return numbers.map(String.init) + [packet.isKey ? "K_" : "__"]
        }
        #expect(found == stated)
    }

    @Test("A sound file has no video")
    func aSoundFileHasNoPictures() throws {
        let scratch = try ScratchDirectory()
        let url = try scratch.make([
            "-f", "lavfi", "-i", "sine=d=1", "-f", "lavfi", "-i", "color=red:s=64x64:d=0.04", "-map", "0", "-map", "1",
            "-c:v", "mjpeg", "-disposition:v", "attached_pic", "cover.m4a",
        ])
        #expect { try VideoReader.open(url) } throws: { ($0 as? SyrinxError)?.code == .notVideo }
        #expect(try !MediaDemuxer.open(TestStream(file: url)).hasMovingPictures)
    }

    @Test("Movies with sound are recognized")
    func filmsWithSoundAreKnown() throws {
        let scratch = try ScratchDirectory()
        let url = try scratch.make([
            "-f", "lavfi", "-i", "sine=d=2", "-f", "lavfi", "-i", NumberedPictures.source(seconds: 2), "-c:v",
            "libx264",
            "film.mp4",
        ])
        #expect(try MediaDemuxer.open(TestStream(file: url)).hasMovingPictures)
        let reader = try VideoReader.open(url)
        #expect(try reader.readAll().map { $0.start } == (0..<50).map { reader.info.ticks(Double($0) / 25) })
    }
}
