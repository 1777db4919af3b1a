import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// The moving pictures of compositions.
@Suite struct CompositionPictureTests {
    private let files: FilmFiles

    init() throws { files = try FilmFiles() }

    private func time(_ pictures: Int64) -> CMTime { CMTime(value: pictures, timescale: 25) }

    private func range(_ pictures: Range<Int64>) -> CMTimeRange {
        CMTimeRange(start: time(pictures.lowerBound), end: time(pictures.upperBound))
    }

    /// A composition of two parts of a film in the other order, with a gap of ten pictures between them.
    private func composition() throws -> (AVMutableComposition, AVMutableCompositionTrack) {
        let film = AVURLAsset(url: try files.film())
        let composition = AVMutableComposition()
        let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 7))
        let source = try #require(film.tracks(withMediaType: .video).first)
        try track.insertTimeRange(range(60..<75), of: source, at: .zero)
        try track.insertTimeRange(range(10..<20), of: source, at: time(25))
        return (composition, track)
    }

    private func read(_ asset: AVAsset, _ track: AVAssetTrack, range: CMTimeRange? = nil) throws -> [CMSampleBuffer] {
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: bgraSettings)
        #expect(reader.canAdd(output))
        reader.add(output)
        if let range { reader.timeRange = range }
        #expect(reader.startReading())
        var buffers: [CMSampleBuffer] = []
        while let buffer = output.copyNextSampleBuffer() { buffers.append(buffer) }
        #expect(reader.status == .completed)
        return buffers
    }

    @Test("Video segments have the times of the composition")
    func thePartsArePlacedInTheTimeOfTheComposition() throws {
        let (composition, track) = try composition()
        #expect(track.naturalSize == CGSize(width: 64, height: 48) && track.nominalFrameRate == 25)
        #expect(composition.naturalSize == track.naturalSize && composition.duration == time(35))
        let buffers = try read(composition, track)
        #expect(buffers.map { $0.imageBuffer?.number } == Array(60..<75) + Array(10..<20))
        let times = (Array(0..<15) + Array(25..<35)).map { time(Int64($0)) }
        #expect(buffers.map(\.presentationTimeStamp) == times)
        #expect(buffers.allSatisfy { $0.duration == time(1) })
    }

    @Test("A range of a composition is read")
    func aRangeIsRead() throws {
        let (composition, track) = try composition()
        let buffers = try read(composition, track, range: range(13..<27))
        #expect(buffers.map { $0.imageBuffer?.number } == [73, 74, 10, 11])
        #expect(try read(composition, track, range: range(16..<24)).isEmpty)
    }

    @Test("Video frames are cut to their segments")
    func picturesAreCutToTheirParts() throws {
        let film = AVURLAsset(url: try files.film())
        let composition = AVMutableComposition()
        let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
        let source = try #require(film.tracks(withMediaType: .video).first)
        // From the middle of picture 30 to that of picture 32.
        let part = CMTimeRange(start: CMTime(value: 61, timescale: 50), end: CMTime(value: 65, timescale: 50))
        try track.insertTimeRange(part, of: source, at: .zero)
        let buffers = try read(composition, track)
        #expect(buffers.map { $0.imageBuffer?.number } == [30, 31, 32])
        let stated = [(0, 1), (1, 2), (3, 1)].map { start, count in
            CMTimeRange(start: CMTime(value: start, timescale: 50), duration: CMTime(value: count, timescale: 50))
        }
        #expect(buffers.map { CMTimeRange(start: $0.presentationTimeStamp, duration: $0.duration) } == stated)
    }

    @Test("A scaled video segment plays slower")
    func aScaledPartIsSlower() throws {
        let (composition, track) = try composition()
        composition.scaleTimeRange(range(0..<15), toDuration: time(30))
        let buffers = try read(composition, track)
        #expect(buffers.map { $0.imageBuffer?.number } == Array(60..<75) + Array(10..<20))
        #expect(buffers.prefix(15).map(\.presentationTimeStamp) == (0..<15).map { time(2 * $0) })
        #expect(buffers.prefix(15).allSatisfy { $0.duration == time(2) })
        #expect(buffers.dropFirst(15).map(\.presentationTimeStamp) == (40..<50).map(time))
    }

    @Test("Inserting a movie inserts all its tracks")
    func allTracksOfAFilmAreInserted() throws {
        let film = AVURLAsset(url: try files.film())
        let silent = AVURLAsset(url: try files.film("silent.mp4", seconds: 1, hasSound: false))
        let composition = AVMutableComposition()
        try composition.insertTimeRange(range(50..<60), of: film, at: .zero)
        try composition.insertTimeRange(range(5..<15), of: silent, at: .invalid)
        try composition.insertTimeRange(range(0..<5), of: film, at: .invalid)
        #expect(composition.tracks.map(\.mediaType) == [.audio, .video])
        #expect(composition.duration == time(25))
        let pictures = try #require(composition.tracks(withMediaType: .video).first)
        let numbers = try read(composition, pictures).map { $0.imageBuffer?.number }
        #expect(numbers == Array(50..<60) + Array(5..<15) + Array(0..<5))
        let sound = try readSound(of: composition)[0]
        #expect(sound.count == 44_100)
        // The silent part.
        #expect(sound[18_000..<35_000].allSatisfy { $0 == 0 } && levelDecibels(Array(sound[..<17_000])) > -30)
        let empty = AVMutableComposition()
        #expect(throws: AVError.self) { try composition.insertTimeRange(range(0..<1), of: empty, at: .zero) }
    }

    @Test("The image generator makes images of a composition")
    func stillPicturesAreMade() async throws {
        let (composition, track) = try composition()
        let generator = AVAssetImageGenerator(asset: composition)
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        for (asked, number) in [(3, 63), (30, 15), (0, 60), (34, 19)] as [(Int64, Int)] {
            let (image, actual) = try await generator.image(at: time(asked))
            #expect(image.number == number && actual == time(asked))
        }
        await #expect(throws: AVError.self) { try await generator.image(at: time(20)) }
        await #expect(throws: AVError.self) { try await generator.image(at: time(35)) }
        generator.requestedTimeToleranceBefore = time(2)
        #expect(try await generator.image(at: time(36)).image.number == 19)
        track.preferredTransform = CGAffineTransform(rotationAngle: .pi / 2)
        let turned = AVAssetImageGenerator(asset: composition)
        turned.appliesPreferredTrackTransform = true
        let image = try await turned.image(at: .zero).image
        #expect(CVPixelBufferGetWidth(image) == 48 && CVPixelBufferGetHeight(image) == 64)
    }

    @Test("A video output gives frames while a composition plays")
    func aVideoOutputShowsThemWhileTheyArePlayed() throws {
        let (composition, _) = try composition()
        let item = AVPlayerItem(asset: composition)
        let output = AVPlayerItemVideoOutput(pixelBufferAttributes: bgraSettings)
        item.add(output)
        let rig = PlayerRig([item])
        #expect(rig.crank { item.status == .readyToPlay })
        #expect(abs(item.duration.seconds - 1.4) < 1e-3)
        for (asked, number) in [(0, 60), (14, 74), (26, 11), (34, 19), (5, 65)] as [(Int64, Int)] {
            rig.player.seek(to: time(asked))
            #expect(
                waitUntil(timeout: 20) {
                    output.copyPixelBuffer(forItemTime: time(asked), itemTimeForDisplay: nil)?.number == number
                },
                "picture \(asked)"
            )
        }
    }

    @Test("Reading compressed packets of a composition is rejected")
    func packetsOfACompositionAreRefused() throws {
        let (composition, track) = try composition()
        let reader = try AVAssetReader(asset: composition)
        reader.add(AVAssetReaderTrackOutput(track: track, outputSettings: nil))
        #expect(!reader.startReading())
        #expect((reader.error as? AVError)?.code == .operationNotSupportedForAsset)
    }
}
