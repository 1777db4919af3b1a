import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// Still pictures of an asset.
@Suite struct ImageGeneratorTests {
    private let files: FilmFiles

    init() throws { files = try FilmFiles() }

    private func generator(_ url: URL, before: CMTime = .zero, after: CMTime = .zero) -> AVAssetImageGenerator {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
        generator.requestedTimeToleranceBefore = before
        generator.requestedTimeToleranceAfter = after
        return generator
    }

    private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1000) }

    @Test("With zero tolerance, the image is the frame shown at that time")
    func withoutToleranceThePictureIsTheOneThatIsShown() throws {
        let generator = generator(try files.film())
        var random = SplitMix64(seed: 3)
        for _ in 0..<30 {
            let milliseconds = Int64.random(in: 0..<4000, using: &random)
            var actual = CMTime.invalid
            let asked = CMTime(value: milliseconds, timescale: 1000)
            let picture = try generator.copyPixelBuffer(at: asked, actualTime: &actual)
            #expect(picture.number == Int(milliseconds / 40), "at \(milliseconds) ms")
            #expect(actual == CMTime(value: milliseconds / 40, timescale: 25))
            #expect(CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_32BGRA)
            #expect(CVPixelBufferGetWidth(picture) == 64 && CVPixelBufferGetHeight(picture) == 48)
        }
    }

    @Test("With tolerance, the image is a keyframe")
    func withToleranceAPictureThatNeedsNoOtherIsTaken() async throws {
        let url = try files.film()
        let free = AVAssetImageGenerator(asset: AVURLAsset(url: url))
        #expect(free.requestedTimeToleranceBefore == .positiveInfinity)
        #expect(free.requestedTimeToleranceAfter == .positiveInfinity)
        #expect(free.maximumSize == .zero && !free.appliesPreferredTrackTransform)
        for (asked, number) in [(0.9, 0), (1.0, 25), (1.9, 25), (3.5, 75), (9, 75)] {
            let (image, actual) = try await free.image(at: time(asked))
            #expect(image.number == number && actual == CMTime(value: Int64(number), timescale: 25), "\(asked)")
        }
        // The picture that needs no other begins too early for the second.
        let bounded = generator(url, before: time(0.2))
        #expect(try await bounded.image(at: time(1.15)).image.number == 25)
        #expect(try await bounded.image(at: time(1.25)).image.number == 31)
    }

    @Test("Outside the movie, the tolerances decide")
    func outsideOfTheFilmTolerancesDecide() async throws {
        let url = files.scratch.url("late.mkv")
        let film = try files.film(hasSound: false)
        try FFmpeg.run(["-itsoffset", "0.5", "-i", film.path, "-c", "copy", url.path])
        let exact = generator(url)
        for asked in [0.4, 4.6] {
            let error = await #expect(throws: AVError.self) { try await exact.image(at: time(asked)) }
            #expect(error?.code == .noImageAtTime && error?.reason == .noPicture)
        }
        await #expect(throws: AVError.self) { try await exact.image(at: .invalid) }
        #expect(try await exact.image(at: time(0.5)).image.number == 0)
        #expect(try await generator(url, after: time(0.2)).image(at: time(0.4)).image.number == 0)
        #expect(try await generator(url, before: time(0.2)).image(at: time(4.6)).image.number == 99)
        await #expect(throws: AVError.self) { try await generator(url, after: time(1)).image(at: time(4.6)) }
    }

    @Test(
        "The maximum size limits the image",
        arguments: [
            (CGSize(width: 32, height: 0), 32, 24), (CGSize(width: 40, height: 12), 16, 12), (.zero, 64, 48),
            (CGSize(width: 640, height: 480), 64, 48),
        ]
    )
    func theSizeIsLimited(_ size: CGSize, _ width: Int, _ height: Int) async throws {
        let generator = generator(try files.film(seconds: 1))
        generator.maximumSize = size
        let image = try await generator.image(at: time(0.5)).image
        #expect(CVPixelBufferGetWidth(image) == width && CVPixelBufferGetHeight(image) == height)
        #expect(image.number == 12)
    }

    @Test("Non-square pixels are made square")
    func pixelsAreMadeSquare() async throws {
        let url = try files.film("wide.mp4", seconds: 1, hasSound: false, ["-vf", "setsar=2"])
        let image = try await generator(url).image(at: time(0.5)).image
        #expect(CVPixelBufferGetWidth(image) == 128 && CVPixelBufferGetHeight(image) == 48)
        #expect(!CVBufferHasAttachment(image, kCVImageBufferPixelAspectRatioKey))
    }

    @Test("The preferred transform rotates the image")
    func aRotatedFilmIsTurned() async throws {
        let url = try files.rotatedFilm(seconds: 1)
        let generator = generator(url)
        #expect(try await CVPixelBufferGetWidth(generator.image(at: time(0.8)).image) == 64)
        generator.appliesPreferredTrackTransform = true
        generator.maximumSize = CGSize(width: 0, height: 32)
        let image = try await generator.image(at: time(0.8)).image
        #expect(CVPixelBufferGetWidth(image) == 24 && CVPixelBufferGetHeight(image) == 32)
        // The left half is the lower one then: FFmpeg turns against the clock.
        let (upper, lower) = (image.grey(12, 8), image.grey(12, 24))
        #expect(NumberedPictures.number(leftGrey: lower, rightGrey: upper) == 20)
    }

    @Test("The images have the order of the requested times")
    func theElementsComeInTheOrderOfTheTimes() async throws {
        let generator = generator(try files.film())
        let asked = [2.0, 0.1, 9, 3.99].map(time)
        var numbers: [Int?] = []
        var times: [CMTime] = []
        for await element in generator.images(for: asked) {
            times.append(element.requestedTime)
            numbers.append((try? element.image)?.number)
            if case .failure(_, let error) = element {
                #expect((error as? AVError)?.code == .noImageAtTime)
                #expect(throws: AVError.self) { try element.actualTime }
            }
        }
        #expect(times == asked && numbers == [50, 2, nil, 99])
    }

    @Test("Cancelled requests fail")
    func whatIsCancelledFails() async throws {
        let generator = generator(try files.film(seconds: 1))
        let images = generator.images(for: [time(0.2), time(0.4), time(0.6)])
        var iterator = images.makeAsyncIterator()
        #expect(try await iterator.next()?.image.number == 5)
        generator.cancelAllCGImageGeneration()
        for _ in 0..<2 {
            guard case .failure(_, let error) = await iterator.next() else {
                Issue.record("a picture was made")
                return
            }
            #expect((error as? AVError)?.code == .operationCancelled)
        }
        #expect(await iterator.next() == nil)
        // What is asked for afterwards is made.
        #expect(try await generator.image(at: time(0.6)).image.number == 15)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await generator.image(at: time(0.8))
        }
        await #expect { try await task.value } throws: { ($0 as? AVError)?.code == .operationCancelled }
        #expect(try await generator.image(at: time(0.8)).image.number == 20)
    }

    @Test("Cancelling stops a waiting read")
    func aReadThatWaitsIsBrokenOff() async throws {
        let film = try files.film(
            "large.mkv",
            seconds: 8,
            hasSound: false,
            ["-vf", "noise=alls=100:allf=t", "-crf", "1"]
        )
        let loader = BytesLoader(try Data(contentsOf: film), .atOnce)
        let asset = AVURLAsset(url: try #require(URL(string: "vault://a/film.mkv")))
        asset.resourceLoader.setDelegate(loader, queue: DispatchQueue(label: "vault"))
        let generator = AVAssetImageGenerator(asset: asset)
        generator.requestedTimeToleranceBefore = .zero
        #expect(try await generator.image(at: .zero).actualTime == .zero)
        loader.stall()
        let task = Task { try await generator.image(at: time(6)) }
        try await wait { loader.hasStalled }
        generator.cancelAllCGImageGeneration()
        await #expect { try await task.value } throws: { ($0 as? AVError)?.code == .operationCancelled }
        loader.goOn()
        #expect(try await generator.image(at: time(6)).actualTime == time(6))
    }

    @Test("An asset without video gives no images")
    func anAssetWithoutPicturesHasNone() async throws {
        let url = files.scratch.url("tone.wav")
        try FFmpeg.run(["-f", "lavfi", "-i", "sine=d=1", url.path])
        let error = await #expect(throws: AVError.self) { try await generator(url).image(at: .zero) }
        #expect(error?.code == .noSourceTrack)
        let missing = generator(files.scratch.url("none.mp4"))
        await #expect { try await missing.image(at: .zero) } throws: {
            ($0 as? AVError)?.code == .contentIsUnavailable
        }
    }

    // MARK: Decisions

    @Test("Each orientation moves pixels as its transform does")
    func eachOrientationMovesPixelsAsItsTransformDoes() throws {
        for (a, b, c, d) in [
            (1, 0, 0, 1), (-1, 0, 0, 1), (1, 0, 0, -1), (-1, 0, 0, -1), (0, 1, 1, 0), (0, 1, -1, 0), (0, -1, 1, 0),
            (0, -1, -1, 0),
        ] {
            let transform = CGAffineTransform(a: Double(a), b: Double(b), c: Double(c), d: Double(d), tx: 0, ty: 0)
            let orientation = try #require(PictureOrientation(transform))
            let (width, height) = (5, 3)
            let source = try numbered(width, height)
            let sides = orientation.swapsSides ? (height, width) : (width, height)
            let target = try numbered(sides.0, sides.1)
            orientation.copy(source, to: target)
            let box = CGRect(x: 0, y: 0, width: Double(width), height: Double(height)).applying(transform)
            for y in 0..<height {
                for x in 0..<width {
                    let centre = CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5).applying(transform)
                    let place = (Int(centre.x - box.minX), Int(centre.y - box.minY))
                    #expect(target.pixel(place.0, place.1) == source.pixel(x, y), "\(a) \(b) \(c) \(d): \(x), \(y)")
                }
            }
        }
        #expect(PictureOrientation(CGAffineTransform(rotationAngle: 0.5)) == nil)
        #expect(PictureOrientation(CGAffineTransform(scaleX: 0, y: 0)) == nil)
        #expect(PictureOrientation(CGAffineTransform(scaleX: 2, y: 3))?.isUpright == true)
    }

    @Test("Computed image sizes stay valid")
    func sizesStayPossible() {
        let size = StillSize(CGSize(width: 1e9, height: 10), maximum: .zero)
        #expect(size.width == 16384 && size.height == 1)
        let large = StillSize(CGSize(width: 16000, height: 16000), maximum: .zero)
        #expect(large.width == large.height && large.width * large.height <= 67_108_864)
        #expect(StillSize(CGSize(width: CGFloat.nan, height: 1), maximum: .zero) == StillSize(.zero, maximum: .zero))
    }

    /// A picture each of whose pixels is another number.
    private func numbered(_ width: Int, _ height: Int) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &made)
        let buffer = try #require(made)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let base = try #require(CVPixelBufferGetBaseAddress(buffer))
        for y in 0..<height {
            for x in 0..<width {
                let number = UInt32(x + width * y + 1)
                base.storeBytes(
                    of: number,
                    toByteOffset: y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x,
                    as: UInt32.self
                )
            }
        }
        return buffer
    }
}

extension CVBuffer {
    /// The four bytes of a pixel.
    fileprivate func pixel(_ x: Int, _ y: Int) -> UInt32 {
        CVPixelBufferLockBaseAddress(self, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
        let offset = y * CVPixelBufferGetBytesPerRow(self) + 4 * x
        return CVPixelBufferGetBaseAddress(self)?.load(fromByteOffset: offset, as: UInt32.self) ?? 0
    }

    /// The green of a pixel, which is grey.
    fileprivate func grey(_ x: Int, _ y: Int) -> UInt8 { UInt8(truncatingIfNeeded: pixel(x, y) >> 8) }
}
