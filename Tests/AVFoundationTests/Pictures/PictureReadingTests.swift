import AVFoundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

/// Tracks of moving pictures, and reading them.
@Suite struct PictureReadingTests {
    private let files: FilmFiles

    init() throws { files = try FilmFiles() }

    private func read(_ url: URL, _ settings: [String: Any]?, range: CMTimeRange? = nil) throws -> (
        AVAssetReader, [CMSampleBuffer]
    ) {
        let asset = AVURLAsset(url: url)
        let reader = try AVAssetReader(asset: asset)
        let track = try #require(asset.tracks(withMediaType: .video).first)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
        #expect(reader.canAdd(output) && output.mediaType == .video && output.alwaysCopiesSampleData)
        reader.add(output)
        if let range { reader.timeRange = range }
        #expect(reader.startReading())
        var buffers: [CMSampleBuffer] = []
        while let buffer = output.copyNextSampleBuffer() { buffers.append(buffer) }
        return (reader, buffers)
    }

    @Test("A movie has a video track")
    func aFilmHasATrackOfPictures() async throws {
        let asset = AVURLAsset(url: try files.film())
        let tracks = try await asset.load(.tracks)
        #expect(tracks.map(\.mediaType) == [.audio, .video] && tracks.map(\.trackID) == [1, 2])
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        #expect(track.naturalSize == CGSize(width: 64, height: 48) && asset.naturalSize == track.naturalSize)
        #expect(track.preferredTransform.isIdentity && track.nominalFrameRate == 25)
        #expect(track.minFrameDuration == CMTime(value: 1, timescale: 25))
        #expect(track.timeRange == CMTimeRange(start: .zero, duration: CMTime(value: 4, timescale: 1)))
        #expect(track.hasMediaCharacteristic(.visual) && track.estimatedDataRate > 0)
        let format = try #require(try await track.load(.formatDescriptions).first)
        #expect(format.mediaType == .video && format.mediaSubType == .h264)
        #expect(format.dimensions.width == 64 && format.dimensions.height == 48)
        let atoms = format.extensions[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] as? NSDictionary
        #expect((atoms?["avcC"] as? Data)?.first == 1)
        #expect(asset.isPlayable && asset.isExportable)
    }

    @Test("A movie without sound has one track")
    func aSilentFilmHasOneTrack() throws {
        let asset = AVURLAsset(url: try files.film(hasSound: false))
        #expect(asset.tracks.map(\.mediaType) == [.video] && asset.tracks.first?.trackID == 1)
        #expect(asset.duration == CMTime(value: 4, timescale: 1))
        #expect(asset.isPlayable && asset.isReadable && !asset.isExportable && asset.isComposable)
    }

    @Test("A movie is opened once to describe it", arguments: [true, false])
    func aFilmIsOpenedOnceToDescribeIt(_ hasSound: Bool) async throws {
        let loader = BytesLoader(try Data(contentsOf: files.film(hasSound: hasSound)), .atOnce)
        let asset = AVURLAsset(url: try #require(URL(string: "vault://a/film.mp4")))
        asset.resourceLoader.setDelegate(loader, queue: DispatchQueue(label: "vault"))
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        #expect(track.naturalSize == CGSize(width: 64, height: 48) && track.nominalFrameRate == 25)
        #expect(loader.informationCount == 1)
    }

    @Test("A cover picture is not a video track")
    func aCoverIsNoTrack() throws {
        let url = files.scratch.url("cover.m4a")
        let inputs = ["-f", "lavfi", "-i", "sine=d=1", "-f", "lavfi", "-i", "color=red:s=64x64:d=0.04"]
        let encoding = ["-map", "0", "-map", "1", "-c:v", "mjpeg", "-disposition:v", "attached_pic"]
        try FFmpeg.run(inputs + encoding + [url.path])
        #expect(AVURLAsset(url: url).tracks.map(\.mediaType) == [.audio])
    }

    @Test("A rotated movie has a preferred transform")
    func aRotatedFilmStatesItsTransform() throws {
        let url = try files.rotatedFilm(seconds: 1)
        let track = try #require(AVURLAsset(url: url).tracks(withMediaType: .video).first)
        let transform = track.preferredTransform
        #expect(!transform.isIdentity && abs(transform.a) < 1e-4 && abs(abs(transform.b) - 1) < 1e-4)
        #expect(track.naturalSize == CGSize(width: 64, height: 48))
        let shown = CGRect(origin: .zero, size: track.naturalSize).applying(transform)
        #expect(shown == CGRect(x: 0, y: 0, width: 48, height: 64))
        let turned = track.naturalSize.applying(transform)
        #expect(abs(turned.width) == 48 && abs(turned.height) == 64)
    }

    @Test("Frames are read in presentation order")
    func picturesComeInTheOrderInWhichTheyAreShown() throws {
        let (reader, buffers) = try read(files.film(), bgraSettings)
        #expect(reader.status == .completed && reader.error == nil)
        #expect(buffers.map { $0.imageBuffer?.number } == Array(0..<100))
        for (index, buffer) in buffers.enumerated() {
            #expect(buffer.presentationTimeStamp == CMTime(value: Int64(index), timescale: 25))
            #expect(buffer.duration == CMTime(value: 1, timescale: 25))
            #expect(buffer.formatDescription?.mediaSubType == .pixelFormat_32BGRA && buffer.dataBuffer == nil)
        }
    }

    @Test(
        "Frames have the requested format and size",
        arguments: [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8Planar,
            kCVPixelFormatType_32BGRA,
        ]
    )
    func picturesHaveTheFormatAndSizeThatIsAskedFor(_ format: OSType) throws {
        let settings: [String: Any] = [
            kCVPixelBufferPixelFormatTypeKey as String: Int(format), kCVPixelBufferWidthKey as String: 32,
            kCVPixelBufferHeightKey as String: NSNumber(value: 20),
        ]
        let (_, buffers) = try read(files.film(seconds: 1), settings)
        #expect(buffers.map { $0.imageBuffer?.number } == Array(0..<25))
        let picture = try #require(buffers.first?.imageBuffer)
        #expect(CVPixelBufferGetPixelFormatType(picture) == format)
        #expect(CVPixelBufferGetWidth(picture) == 32 && CVPixelBufferGetHeight(picture) == 20)
        let matrix = CVBufferCopyAttachment(picture, kCVImageBufferYCbCrMatrixKey, nil) as? String
        #expect(matrix == (format == kCVPixelFormatType_32BGRA ? nil : kCVImageBufferYCbCrMatrix_ITU_R_601_4))
    }

    @Test("Settings without a pixel format give biplanar YCbCr")
    func settingsWithoutAFormatGivePlanesOfLumaAndChroma() throws {
        let (_, buffers) = try read(files.film(seconds: 1), [:])
        let picture = try #require(buffers.last?.imageBuffer)
        #expect(CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(picture.number == 24)
    }

    @Test("A time range gives the frames shown in it")
    func aRangeHasThePicturesThatAreShownInIt() throws {
        let url = try files.film()
        for (start, end, numbers) in [
            (1.0, 2.0, 25..<50), (1.31, 1.33, 32..<34), (3.9, 9, 97..<100), (0, 0.001, 0..<1),
        ] {
            let range = CMTimeRange(
                start: CMTime(seconds: start, preferredTimescale: 1000),
                end: CMTime(seconds: end, preferredTimescale: 1000)
            )
            let (reader, buffers) = try read(url, bgraSettings, range: range)
            #expect(buffers.map { $0.imageBuffer?.number } == Array(numbers), "\(start) to \(end)")
            #expect(buffers.first?.presentationTimeStamp == CMTime(value: Int64(numbers.lowerBound), timescale: 25))
            #expect(reader.status == .completed)
        }
    }

    @Test("Without settings, a reader gives compressed packets")
    func withoutSettingsPacketsAreGiven() throws {
        let url = try files.film()
        let (_, buffers) = try read(url, nil)
        let stated = try FFprobe.pictures(url.path, "packet=pts,dts,size,flags")
        #expect(buffers.count == 100 && stated.count == 100)
        for (buffer, values) in zip(buffers, stated) {
            #expect(String(buffer.presentationTimeStamp.value) == values[0])
            #expect(String(buffer.decodeTimeStamp.value) == values[1])
            #expect(buffer.dataBuffer.map { String($0.dataLength) } == values[2])
            let attachments = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false)
            let notSync = (attachments?.firstObject as? NSDictionary)?[kCMSampleAttachmentKey_NotSync] as? Bool ?? false
            #expect(notSync == (values[3].first != "K"))
            #expect(buffer.imageBuffer == nil && buffer.formatDescription?.mediaSubType == .h264)
        }
        let part = CMTimeRange(start: CMTime(value: 3, timescale: 2), end: CMTime(value: 2, timescale: 1))
        let (_, packets) = try read(url, nil, range: part)
        // From the picture that needs no other.
        #expect(packets.first?.presentationTimeStamp == CMTime(value: 1, timescale: 1))
        #expect(packets.map(\.presentationTimeStamp).max() == CMTime(value: 49, timescale: 25))
    }

    @Test(
        "Unsupported settings are rejected",
        arguments: [
            [kCVPixelBufferPixelFormatTypeKey: 0x3030_3030], [kCVPixelBufferWidthKey: 0],
            [kCVPixelBufferHeightKey: 1 << 20],
            ["AVVideoCodecKey": 1],
        ]
    )
    func settingsThatCannotBeMetAreRefused(_ settings: [String: Int]) throws {
        let asset = AVURLAsset(url: try files.film(seconds: 1))
        let reader = try AVAssetReader(asset: asset)
        let track = try #require(asset.tracks(withMediaType: .video).first)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
        #expect(!reader.canAdd(output))
        reader.add(output)
        #expect(!reader.startReading() && reader.status == .failed)
        #expect((reader.error as? AVError)?.code == .operationNotAllowed)
    }

    @Test("Damaged files give typed errors")
    func damagedFilesGiveTypedErrors() throws {
        let bytes = try Data(contentsOf: files.film(hasSound: false))
        let index = try #require(bytes.range(of: Data("moov".utf8))?.lowerBound)
        for (name, data) in [("cut.mp4", bytes.prefix(index - 4)), ("text.mp4", Data("<html></html>".utf8))] {
            let url = files.scratch.url(name)
            try data.write(to: url)
            let asset = AVURLAsset(url: url)
            #expect(asset.tracks.isEmpty)
            #expect { try AVAssetReader(asset: asset) } throws: { error in
                let code = (error as? AVError)?.code
                return code == .fileFailedToParse || code == .fileFormatNotRecognized
            }
        }
        let url = files.scratch.url("large.mkv")
        try FFmpeg.run(["-f", "lavfi", "-i", "color=black:s=16400x16:d=0.04", "-c:v", "ffv1", url.path])
        #expect { try AVAssetReader(asset: AVURLAsset(url: url)) } throws: {
            ($0 as? AVError)?.reason.rawValue == "media.unsupported"
        }
    }

    @Test("Transforms are concatenated and inverted")
    func transformsAreCombinedAndUndone() {
        let turn = CGAffineTransform(rotationAngle: .pi / 2)
        let both = turn.concatenating(CGAffineTransform(translationX: 10, y: 0))
        let point = CGPoint(x: 3, y: 4).applying(both)
        #expect(abs(point.x - 6) < 1e-12 && abs(point.y - 3) < 1e-12)
        let back = point.applying(both.inverted())
        #expect(abs(back.x - 3) < 1e-12 && abs(back.y - 4) < 1e-12)
        #expect(
            CGSize(width: 2, height: 3).applying(CGAffineTransform(scaleX: 2, y: -1)) == CGSize(width: 4, height: -3)
        )
    }
}
