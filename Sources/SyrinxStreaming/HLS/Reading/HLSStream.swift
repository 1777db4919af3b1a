import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec

/// A byte stream that may be an HLS playlist, and the presentation that it describes.
///
/// As a byte stream it is the playlist itself, so that a list of recordings can be read as such.
package final class HLSStream: ByteStream, @unchecked Sendable {
    // Unchecked: `state` guards the mutable state; the streams and the loader are thread-safe.
    private struct State {
        var loader: HLSLoader?
        var isCancelled = false
        var isInterrupted = false
        var onEvent: (@Sendable (HTTPStreamEvent) -> Void)?
        var preference = SoundPreference()
        var soundOptions: [SoundOption] = []
    }

    private let base: any ByteStream
    private let url: URL
    private let transport: any HLSTransport
    private let state = Monitor(State())

    /// Creates a stream for `base`, which was opened for `url`.
    init(_ base: any ByteStream, from url: URL, transport: any HLSTransport) {
        self.base = base
        self.url = url
        self.transport = transport
        (base as? HTTPByteStream)?.onEvent = { [weak self] event in self?.note(event) }
    }

    /// Creates a stream for a resource that is an HLS playlist; returns `nil` for other resources.
    ///
    /// The MIME type, the path after redirects and the first bytes identify a playlist. Blocks until the first bytes
    /// arrive.
    package convenience init?(typed resource: HTTPByteStream, of input: StreamingInput, network: HTTPByteStream.Options)
    {
        guard let url = input.url else { return nil }
        let isNamed = resource.redirectedURL.flatMap { URL(fromOutside: $0) }.map(Self.isNamed) == true
        let isTyped = resource.mimeType.map(Self.types.contains) == true
        guard isTyped || isNamed || Self.beginsAsPlaylist(resource) else { return nil }
        var network = network
        network.cookies = resource.cookies
        self.init(resource, from: url, transport: HLSNetwork(origin: url, options: network))
    }

    /// Returns whether the first bytes are those of an HLS playlist.
    ///
    /// Errors are left to the reader that follows.
    static func beginsAsPlaylist(_ stream: any ByteStream) -> Bool {
        var bytes: [UInt8] = []
        while true {
            if let answer = HLSPlaylist.begins(bytes[...]) { return answer }
            var piece: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
            let got = piece.withUnsafeMutableBytes { (try? stream.read(at: Int64(bytes.count), into: $0)) ?? 0 }
            if got == 0 { return false }
            bytes += piece[..<got]
        }
    }

    /// The MIME types of playlists (RFC 8216, 4), and others that servers use.
    private static let types: Set = [
        "application/vnd.apple.mpegurl", "audio/mpegurl", "application/x-mpegurl", "audio/x-mpegurl",
        "application/mpegurl",
    ]

    /// Returns whether the path extension of a URL is that of an HLS playlist, or of a playlist in UTF-8.
    package static func isNamed(_ url: URL) -> Bool {
        (FilePath(url)?.pathExtension ?? url.pathExtension.lowercased()) == "m3u8"
    }

    // MARK: Bytes

    /// The URL that the playlist was found at, which its references are relative to.
    var location: URL { HLSText.location(of: base, asked: url) }

    package var name: String { base.name }
    package var length: Int64? { loader == nil ? base.length : nil }
    package var isSeekable: Bool { loader != nil || base.isSeekable }
    package var isRemote: Bool { base.isRemote }
    package var mimeType: String? { base.mimeType }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        try base.read(at: offset, into: buffer)
    }

    package func firstMissing(from offset: Int64) -> Int64 { base.firstMissing(from: offset) }

    package func setInterrupted(_ isInterrupted: Bool) {
        let loader = state.update { state in
            state.isInterrupted = isInterrupted
            return state.loader
        }
        base.setInterrupted(isInterrupted)
        loader?.setInterrupted(isInterrupted)
    }

    package func cancel() {
        let loader = state.update { state in
            state.isCancelled = true
            return state.loader
        }
        base.cancel()
        loader?.cancel()
    }

    // MARK: The presentation

    private var loader: HLSLoader? { state.read { $0.loader } }

    /// Opens the presentation, once.
    /// - Returns: The reader; `nil` if the bytes are not an HLS playlist.
    package func open() throws(SyrinxError) -> (any SampleReader)? {
        guard let text = try playlist() else { return nil }
        let loader = try makeLoader(text)
        let (isCancelled, isInterrupted) = state.update { state in
            state.loader = loader
            return (state.isCancelled, state.isInterrupted)
        }
        loader.onEvent = { [weak self] event in self?.note(event) }
        if isCancelled { loader.cancel() }
        if isInterrupted { loader.setInterrupted(true) }
        return try HLSReader(loader, name: name)
    }

    /// Reads the whole playlist if its start is that of an HLS playlist.
    private func playlist() throws(SyrinxError) -> [UInt8]? {
        // Behind a byte order mark and empty lines, the first line is a tag or a comment.
        let most = HLSPlaylist.mostLeadingBytes
        let head = try HLSText.bytes(of: base, 0..<Int64(most), limit: most)
        guard HLSPlaylist.firstLine(of: head[...]).first == UInt8(ascii: "#") else { return nil }
        let text = try HLSText.read(base)
        return HLSPlaylist.isPlaylist(text) ? text : nil
    }

    private func makeLoader(_ text: [UInt8], _ other: (any HLSTransport)? = nil) throws(SyrinxError) -> HLSLoader {
        let transport = other ?? transport
        let began = transport.clock.now
        let location = location
        let locator = HLSLocator(base: location, allowsInsecure: transport.allowsInsecure)
        switch try HLSPlaylistParser.parse(text, locator: locator) {
        case .master(let master):
            let preference = state.update { state in
                state.soundOptions = master.soundOptions
                return state.preference
            }
            let scheduler = HLSScheduler(HLSSelection(master, preference: preference))
            return HLSLoader(scheduler, variables: master.variables, transport: transport, name: name)
        case .media(let media):
            try HLSText.check(media, name: name)
            let resource = HLSMediaPlaylist.Resource(url: location)
            var scheduler = HLSScheduler(HLSSelection(only: resource))
            _ = scheduler.loaded(media, level: 0, began: began)
            return HLSLoader(scheduler, variables: [:], transport: transport, name: name)
        }
    }

    /// Returns the stream of a segment that is at hand or on its way, from the start of the resource.
    func fetchedSegment(at url: URL) -> HTTPByteStream? { loader?.fetchedSegment(at: url) }

    /// Creates a loader for the video, and one for the audio if it has separate segments.
    /// - Parameter playing: Returns the presentation whose audio is being played.
    /// - Returns: The loaders; `nil` if the bytes are not an HLS playlist.
    func makePictureLoaders(
        beside playing: @escaping @Sendable () -> HLSStream?
    ) throws(SyrinxError) -> (pictures: HLSLoader, sound: HLSLoader?)? {
        guard let text = try playlist() else { return nil }
        let locator = HLSLocator(base: location, allowsInsecure: transport.allowsInsecure)
        let shared = HLSPictureTransport(base: transport, presentation: playing)
        guard case .master(let master) = try HLSPlaylistParser.parse(text, locator: locator) else {
            return (try makeLoader(text, shared), nil)
        }
        let sound = HLSSelection(master)
        let hasOwnSound = !master.variants.contains { variant in
            sound.levels.contains { $0.playlist.url == variant.url && !variant.isSoundOnly }
        }
        let pictures = HLSSelection(picturesOf: master, hasOwnSound: hasOwnSound)
        guard !pictures.levels.isEmpty else {
            throw SyrinxError(.notVideo, "The presentation has no moving pictures.", name: name)
        }
        let loader = { (selection: HLSSelection) in
            HLSLoader(
                HLSScheduler(selection),
                variables: master.variables,
                transport: shared,
                name: self.name
            )
        }
        return (loader(pictures), hasOwnSound ? loader(sound) : nil)
    }

    // MARK: For a player

    /// The audio rendition to select; set it before the presentation is opened.
    package var preference: SoundPreference {
        get { state.read { $0.preference } }
        set { state.update { $0.preference = newValue } }
    }

    /// The audio renditions, once the presentation is open; empty if there is only one.
    package var soundOptions: [SoundOption] { state.read { $0.soundOptions } }

    /// The handler of network events; set it before anything is read.
    package var onEvent: (@Sendable (HTTPStreamEvent) -> Void)? {
        get { state.read { $0.onEvent } }
        set { state.read { $0.onEvent = newValue } }
    }

    private func note(_ event: HTTPStreamEvent) {
        switch event {
        // These events of the playlist's stream do not apply to the presentation.
        case .response, .completed, .metadata, .discontinuity, .failed: break
        case .received: onEvent?(.received(receivedByteCount))
        case .retry, .waitingForNetwork, .networkIsBack, .warning: onEvent?(event)
        }
    }

    /// The number of bytes received so far.
    package var receivedByteCount: Int64 {
        ((base as? HTTPByteStream)?.receivedByteCount ?? 0).addingClamped(loader?.receivedByteCount ?? 0)
    }

    /// Switches to the large fetch-ahead window, which bridges network outages.
    package func readAhead() { loader?.readAhead() }

    /// Returns when all events have been reported that have happened.
    package func flushEvents() { loader?.flushEvents() }

    /// Whether the presentation has no end yet.
    package var isLive: Bool { loader?.window?.isLive == true }

    /// The latest segments of a live presentation; `nil` for other presentations.
    var arrival: HLSArrival? { loader?.arrival }

    /// The seekable range in seconds; `nil` if there is none.
    package var seekableRange: ClosedRange<Double>? {
        guard let window = loader?.window else { return nil }
        return window.start...max(window.start, window.isLive ? window.liveEdge : window.end)
    }
}
