import AVFoundation
import Synchronization
import SyrinxTestSupport
import Testing

/// A delegate gives an asset the bytes of a scheme that is not known.
@Suite struct ResourceLoaderTests {
    private let files: AssetFiles

    init() throws { files = try AssetFiles() }

    private func asset(_ loader: BytesLoader) throws -> AVURLAsset {
        let asset = AVURLAsset(url: try #require(URL(string: "vault://a/noise.wav")))
        let queue = DispatchQueue(label: "vault")
        queue.setSpecific(key: BytesLoader.queueKey, value: true)
        asset.resourceLoader.setDelegate(loader, queue: queue)
        return asset
    }

    @Test("Every sample arrives", arguments: [BytesLoader.Manner.atOnce, .inPieces, .later, .withoutRanges])
    func everySampleArrives(_ manner: BytesLoader.Manner) async throws {
        let noise = AssetFiles.stereoNoise(100_000)
        let loader = BytesLoader(try Data(contentsOf: files.wav("a.wav", noise)), manner)
        let asset = try asset(loader)
        #expect(try await asset.load(.duration) == .frames(100_000))
        #expect(try readSound(of: asset) == noise)
        #expect(loader.isAlwaysOnItsQueue)
        let informed = loader.informationCount
        // Once for the description, and once for each reading.
        #expect(informed == 2)
    }

    @Test("Reading a range requests only its bytes")
    func aRangeAsksForItsBytesOnly() async throws {
        let noise = AssetFiles.stereoNoise(1_000_000)
        let loader = BytesLoader(try Data(contentsOf: files.wav("a.wav", noise)), .atOnce)
        let asset = try asset(loader)
        let part = try readSound(of: asset, range: .frames(900_000, count: 10_000))
        #expect(part[0] == Array(noise[0][900_000..<910_000]))
        #expect(loader.byteCount < 3_000_000)
    }

    @Test("An error of the delegate becomes the error of the asset")
    func anErrorOfTheDelegateIsTheAssets() async throws {
        let loader = BytesLoader(Data(), .failing)
        let asset = try asset(loader)
        let error = await #expect(throws: AVError.self) { try await asset.load(.duration) }
        withExtendedLifetime(loader) {}
        #expect(error?.description.contains("The vault is shut") == true)
    }

    @Test("A delegate can decline a request")
    func aDelegateMayRefuse() async throws {
        let loader = BytesLoader(Data(), .refusing)
        let asset = try asset(loader)
        await #expect(throws: AVError.self) { try await asset.load(.duration) }
        withExtendedLifetime(loader) {}
    }

    @Test("An unknown URL scheme without a delegate fails")
    func aSchemeWithoutADelegateFails() async throws {
        let asset = AVURLAsset(url: try #require(URL(string: "vault://a/noise.wav")))
        await #expect(throws: AVError.self) { try await asset.load(.duration) }
    }

    @Test("Cancelling a reader cancels the request")
    func cancellingAReaderCancelsTheRequest() async throws {
        let noise = AssetFiles.stereoNoise(500_000)
        let loader = BytesLoader(try Data(contentsOf: files.wav("a.wav", noise)), .atOnce)
        let asset = try asset(loader)
        #expect(try await asset.load(.duration) == .frames(500_000))
        let track = try #require(asset.tracks.first)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: floatSettings)
        reader.add(output)
        #expect(reader.startReading())
        loader.stall()
        let box = Mutex(false)
        DispatchQueue.global().async {
            while output.copyNextSampleBuffer() != nil {}
            box.withLock { $0 = true }
        }
        #expect(waitUntil { loader.hasStalled })
        #expect(!box.withLock { $0 })
        reader.cancelReading()
        #expect(waitUntil(timeout: promptly) { box.withLock { $0 } })
        #expect(reader.status == .cancelled && reader.error == nil)
        #expect(waitUntil { loader.cancelCount > 0 })
    }
}

/// A delegate that has the bytes of a file.
final class BytesLoader: NSObject, AVAssetResourceLoaderDelegate, Sendable {
    static let queueKey = DispatchSpecificKey<Bool>()

    enum Manner: Sendable, Equatable {
        case atOnce, inPieces, later, withoutRanges, failing, refusing
    }

    private struct Counts {
        var informations = 0
        var cancels = 0
        var bytes = 0
        var isOffQueue = false
        var isStalling = false
        var hasStalled = false
    }

    private let data: Data
    private let manner: Manner
    private let counts = Mutex(Counts())

    init(_ data: Data, _ manner: Manner) {
        self.data = data
        self.manner = manner
    }

    var informationCount: Int { counts.withLock { $0.informations } }
    var cancelCount: Int { counts.withLock { $0.cancels } }
    var byteCount: Int { counts.withLock { $0.bytes } }
    /// From now on answers nothing.
    func stall() { counts.withLock { $0.isStalling = true } }
    /// From now on answers again.
    func goOn() { counts.withLock { $0.isStalling = false } }
    var hasStalled: Bool { counts.withLock { $0.hasStalled } }
    var isAlwaysOnItsQueue: Bool { counts.withLock { !$0.isOffQueue } }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool {
        if DispatchQueue.getSpecific(key: Self.queueKey) != true { counts.withLock { $0.isOffQueue = true } }
        switch manner {
        case .refusing: return false
        case .failing:
            let info = [NSLocalizedDescriptionKey: "The vault is shut"]
            loadingRequest.finishLoading(with: NSError(domain: "Vault", code: 1, userInfo: info))
            return true
        case .later: DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { self.answer(loadingRequest) }
        default: answer(loadingRequest)
        }
        return true
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) {
        counts.withLock { $0.cancels += 1 }
    }

    private func answer(_ loading: AVAssetResourceLoadingRequest) {
        if let information = loading.contentInformationRequest {
            information.contentType = "com.microsoft.waveform-audio"
            information.contentLength = Int64(data.count)
            information.isByteRangeAccessSupported = manner != .withoutRanges
            counts.withLock { $0.informations += 1 }
        }
        guard let request = loading.dataRequest else { return loading.finishLoading() }
        let start = Int(request.requestedOffset)
        let length = request.requestsAllDataToEndOfResource ? data.count - start : request.requestedLength
        let end = min(data.count, start + length)
        let isStalling = counts.withLock { counts in
            counts.hasStalled = counts.isStalling
            return counts.isStalling
        }
        if isStalling { return }
        let step = manner == .inPieces ? 10_007 : data.count
        var offset = start
        while offset < end {
            let next = min(end, offset + step)
            request.respond(with: data[offset..<next])
            offset = next
        }
        counts.withLock { $0.bytes += end - start }
        loading.finishLoading()
    }
}
