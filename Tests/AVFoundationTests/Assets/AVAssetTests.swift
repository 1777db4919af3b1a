import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// Assets say what a file or resource is, when they are asked and not before.
@Suite struct AVAssetTests {
    private let files: AssetFiles

    init() throws { files = try AssetFiles() }

    @Test("Creating an AVAsset from a URL gives an AVURLAsset")
    func anAssetOfAURLIsAURLAsset() throws {
        let url = try files.wav("a.wav", AssetFiles.stereoNoise(1_000))
        let asset = AVAsset(url: url)
        #expect((asset as? AVURLAsset)?.url == url)
    }

    @Test("Properties load in the background")
    func propertiesLoadInTheBackground() async throws {
        let asset = AVURLAsset(url: try files.wav("a.wav", AssetFiles.stereoNoise(22_050)))
        guard case .notYetLoaded = asset.status(of: .duration) else {
            Issue.record("the asset was opened before anything was asked for")
            return
        }
        let (duration, isPlayable, tracks) = try await asset.load(.duration, .isPlayable, .tracks)
        #expect(duration == .frames(22_050))
        #expect(isPlayable)
        #expect(tracks.count == 1)
        guard case .loaded(let loaded) = asset.status(of: .duration) else {
            Issue.record("the duration is not loaded")
            return
        }
        #expect(loaded == duration)
        let (a, b, c, d, e, f, g, h) = try await asset.load(
            .duration,
            .isReadable,
            .isExportable,
            .isComposable,
            .hasProtectedContent,
            .preferredRate,
            .preferredVolume,
            .providesPreciseDurationAndTiming
        )
        #expect(a == duration)
        #expect(b && c && d && !e && f == 1 && g == 1 && h)
    }

    @Test("A track has the format of the media")
    func aTrackHasTheFormatOfTheMedia() async throws {
        let asset = AVURLAsset(url: try files.wav("a.wav", AssetFiles.stereoNoise(48_000), sampleRate: 48_000))
        let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
        let (range, scale, rate) = try await track.load(.timeRange, .naturalTimeScale, .estimatedDataRate)
        #expect(range == .frames(0, count: 48_000, 48_000))
        #expect(scale == 48_000)
        #expect(abs(rate - 2 * 32 * 48_000) < 1_000)
        let formats = try await track.load(.formatDescriptions)
        let description = try #require(formats.first?.audioStreamBasicDescription)
        #expect(formats[0].mediaType == .audio)
        #expect(description.mSampleRate == 48_000 && description.mChannelsPerFrame == 2)
        #expect(description.mFormatID == kAudioFormatLinearPCM && description.mBitsPerChannel == 32)
        #expect(track.mediaType == .audio && track.asset === asset && track.hasMediaCharacteristic(.audible))
        #expect(try await asset.loadTrack(withTrackID: track.trackID) === track)
        #expect(try await asset.loadTrack(withTrackID: 99) == nil)
        #expect(try await asset.loadTracks(withMediaType: .video).isEmpty)
        #expect(asset.tracks(withMediaCharacteristic: .audible).count == 1)
        #expect(track.segments.first?.timeMapping.target == range)
    }

    @Test(
        "The duration of an asset is the duration of its sound",
        arguments: [("a.m4a", kAudioFormatMPEG4AAC), ("a.mp3", kAudioFormatMPEGLayer3), ("a.flac", kAudioFormatFLAC)]
    )
    func theDurationIsThatOfTheSound(_ name: String, _ format: AudioFormatID) async throws {
        let wav = try files.wav("a.wav", AssetFiles.stereoNoise(100_000))
        let asset = AVURLAsset(url: try files.encode(wav, to: name))
        #expect(try await asset.load(.duration) == .frames(100_000))
        let track = try #require(try await asset.load(.tracks).first)
        #expect(track.descriptions.first?.audioStreamBasicDescription?.mFormatID == format)
    }

    @Test("A missing file fails when it is loaded")
    func aMissingFileFailsWhenItIsLoaded() async throws {
        let asset = AVURLAsset(url: files.url("none.wav"))
        let error = await #expect(throws: AVError.self) { try await asset.load(.duration) }
        #expect(error?.code == .contentIsUnavailable)
        #expect(error?.url == asset.url)
        guard case .failed(let failure) = asset.status(of: .tracks) else {
            Issue.record("the tracks have not failed")
            return
        }
        #expect(failure.domain == AVFoundationErrorDomain && failure.code == -11863)
        #expect(asset.duration == .zero && asset.tracks.isEmpty && !asset.isPlayable)
        var reason: NSError?
        #expect(asset.statusOfValue(forKey: "duration", error: &reason) == .failed)
        #expect(reason?.code == -11863)
    }

    @Test("A file that is no media file is not recognized")
    func aFileOfAnotherKindIsNotRecognised() async throws {
        let url = files.url("a.txt")
        try Data("Nothing that can be heard. ".utf8).write(to: url)
        let error = await #expect(throws: AVError.self) { try await AVURLAsset(url: url).load(.tracks) }
        #expect(error?.code == .fileFormatNotRecognized)
        #expect(throws: AVError.self) { try AVAssetReader(asset: AVURLAsset(url: url)) }
    }

    @Test("Values load asynchronously")
    func valuesLoadAsynchronously() async throws {
        let asset = AVURLAsset(url: try files.wav("a.wav", AssetFiles.stereoNoise(22_050)))
        #expect(asset.statusOfValue(forKey: "duration", error: nil) == .unknown)
        await withCheckedContinuation { continuation in
            asset.loadValuesAsynchronously(forKeys: ["duration", "tracks"]) { continuation.resume() }
        }
        #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .loaded)
        #expect(asset.duration.seconds == 0.5)

        let missing = AVURLAsset(url: files.url("none.wav"))
        await withCheckedContinuation { continuation in
            missing.loadValuesAsynchronously(forKeys: ["duration"]) { continuation.resume() }
        }
        #expect(missing.statusOfValue(forKey: "duration", error: nil) == .failed)
    }

    /// Packets of many sizes, with no count of them in the file.
    private func variableMP3() throws -> URL {
        let wav = try files.wav("v.wav", [whiteNoise(frameCount: 200_000) + [Float](repeating: 0, count: 600_000)])
        return try files.encode(wav, to: "v.mp3", ["-q:a", "4", "-write_xing", "0", "-id3v2_version", "0"])
    }

    @Test("A precise duration is counted from the packets")
    func aPreciseDurationIsCounted() async throws {
        let url = try variableMP3()
        let exact = AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
        let (duration, isPrecise) = try await exact.load(.duration, .providesPreciseDurationAndTiming)
        let sound = try readSound(of: exact)
        #expect(isPrecise)
        #expect(duration == .frames(Int64(sound[0].count)))
        #expect(sound[0].count >= 800_000)
        let estimate = AVURLAsset(url: url)
        #expect(try await !estimate.load(.providesPreciseDurationAndTiming))
        #expect(try await estimate.load(.duration) != duration)
    }

    @Test("An error has a localized description")
    func anErrorSaysItsSentence() async throws {
        let missing = URL(fileURLWithPath: files.scratch.file("missing.wav"))
        let error = await #expect(throws: AVError.self) { try await AVURLAsset(url: missing).load(.duration) }
        let message = try #require(error?.message)
        for text in [error?.localizedDescription, (error as NSError?)?.localizedDescription] {
            #expect(text == "\(missing): \(message)")
        }
        #expect(message.hasSuffix("."))
        #expect((error as NSError?)?.domain == AVFoundationErrorDomain)
        #expect((error as NSError?)?.code == AVError.Code.contentIsUnavailable.rawValue)
    }

    @Test("A broadcast has no duration")
    func aBroadcastHasNoDuration() async throws {
        let server = try ScriptedHTTPServer()
        let bytes = [UInt8](try Data(contentsOf: variableMP3()))
        server.route(
            "/live",
            .file(bytes, type: "audio/mpeg").withoutLength().withoutRanges().withoutHeader("ETag").header(
                "icy-br",
                "128"
            )
        )
        let asset = AVURLAsset(url: try #require(URL(string: server.url("/live"))))
        #expect(try await asset.load(.duration) == .indefinite)
        #expect(asset.tracks.first?.timeRange.duration == .indefinite)
    }

    @Test("The headers of an asset are sent with each request")
    func headersAreSentWithEachRequest() async throws {
        let server = try ScriptedHTTPServer()
        let data = try Data(contentsOf: files.wav("a.wav", AssetFiles.stereoNoise(44_100)))
        server.route("/a.wav", .file([UInt8](data), type: "audio/wav"))
        let asset = AVURLAsset(
            url: try #require(URL(string: server.url("/a.wav"))),
            options: [AVURLAssetHTTPHeaderFieldsKey: ["X-Token": "tree"], AVURLAssetHTTPUserAgentKey: "Player/2"]
        )
        #expect(try await asset.load(.duration) == .frames(44_100))
        #expect(try readSound(of: asset)[0].count == 44_100)
        let requests = server.requests("/a.wav")
        #expect(requests.count >= 2)
        for request in requests {
            #expect(request.headers["x-token"] == "tree")
            #expect(request.headers["user-agent"] == "Player/2")
        }
    }

    @Test("A cancelled task does not wait")
    func aCancelledTaskDoesNotWait() async throws {
        // A delegate has no timeout: the asset is still being loaded whenever this test gets a thread again.
        let loader = BytesLoader(Data(), .atOnce)
        loader.stall()
        let asset = AVURLAsset(url: try #require(URL(string: "vault://a/noise.wav")))
        asset.resourceLoader.setDelegate(loader, queue: DispatchQueue(label: "vault"))
        let task = Task { try await asset.load(.duration) }
        try await wait { loader.hasStalled }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The load continues without the task.
        guard case .loading = asset.status(of: .duration) else {
            Issue.record("the asset is not being loaded")
            return
        }
        asset.cancelLoading()
        let error = await #expect(throws: AVError.self) { try await asset.load(.duration) }
        #expect(error?.code == .operationCancelled)
        var reason: NSError?
        #expect(asset.statusOfValue(forKey: "duration", error: &reason) == .cancelled)
    }

    @Test("Concurrent tasks open an asset only once")
    func manyTasksOpenTheAssetOnce() async throws {
        let server = try ScriptedHTTPServer()
        let data = try Data(contentsOf: files.wav("a.wav", AssetFiles.stereoNoise(4_410)))
        server.route("/a.wav", .file([UInt8](data), type: "audio/wav"))
        let asset = AVURLAsset(url: try #require(URL(string: server.url("/a.wav"))))
        let durations = try await withThrowingTaskGroup(of: CMTime.self) { group in
            for _ in 0..<16 { group.addTask { try await asset.load(.duration) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(durations.count == 16)
        #expect(durations.allSatisfy { $0 == .frames(4_410) })
        let single = server.requests("/a.wav").count
        #expect(single <= 2)
    }
}
