import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// A clock that does not go back, and calls at a time to come.
protocol HLSClock: Sendable {
    /// Seconds since some moment.
    var now: Double { get }
    /// Calls `body` on `queue` after `seconds`.
    func schedule(after seconds: Double, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)
}

/// The clock of the system.
struct HLSSystemClock: HLSClock {
    var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    func schedule(after seconds: Double, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        let seconds = min(max(seconds, 0), 86_400)
        queue.asyncAfter(deadline: .now() + seconds, execute: body)
    }
}

/// Opens the resources that a presentation consists of.
protocol HLSTransport: Sendable {
    var clock: any HLSClock { get }
    /// Seconds that a reader waits for a segment.
    var patience: Double { get }
    /// Whether a playlist that came over HTTPS may lead to HTTP.
    var allowsInsecure: Bool { get }
    /// A stream of a resource, of which nothing has been fetched.
    func open(_ url: URL, _ purpose: HLSPurpose) throws(SyrinxError) -> any ByteStream
}

/// The use of a resource of a presentation.
enum HLSPurpose: Sendable {
    case playlist
    case key
    case initialization
    case segment
    /// A part of a segment, which lasts that many seconds at most.
    case part(seconds: Double)
    /// The first packets of a segment only.
    case overlap
}

/// Opens files and resources on servers.
struct HLSNetwork: HLSTransport {
    let clock: any HLSClock = HLSSystemClock()
    /// The URL of the input, whose headers and password its own origin gets and no other.
    let origin: URL
    let options: HTTPByteStream.Options

    /// The playlists, keys and segments of a presentation share cookies, whatever their hosts.
    init(origin: URL, options: HTTPByteStream.Options) {
        self.origin = origin
        var options = options
        options.cookies = options.cookies ?? CookieJar()
        self.options = options
    }

    /// Bytes of a segment that are fetched ahead of the reader, and kept behind it.
    private static let segmentWindow = 4 << 20
    /// Bytes that hold some packets of most streams.
    private static let overlapWindow = 16 << 10
    private static let smallWindow = 64 << 10
    /// Seconds of silence after which a part is asked for anew, at least.
    private static let shortestStall = 1.0

    var patience: Double { options.maximumOutage }
    var allowsInsecure: Bool { options.allowsInsecureRedirects }

    func open(_ url: URL, _ purpose: HLSPurpose) throws(SyrinxError) -> any ByteStream {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            return try FileByteStream(url: url)
        }
        var options = options
        // A live playlist is another one each time, and segments of it are not played again.
        options.cache = nil
        options.pinnedHead = 0
        if !url.hasSameOrigin(as: origin) { options.headers = [] }
        options.windowAhead =
            switch purpose {
            case .playlist: HLSPlaylist.maximumSize + 1
            case .key, .initialization: Self.smallWindow
            case .segment, .part: Self.segmentWindow
            case .overlap: Self.overlapWindow
            }
        switch purpose {
        case .segment, .part: options.windowBehind = Self.segmentWindow
        default: options.windowBehind = Self.smallWindow
        }
        if case .part(let seconds) = purpose {
            // The segment that it belongs to has it too, and is there a few seconds later.
            options.stallTimeout = min(options.stallTimeout, max(3 * seconds, Self.shortestStall))
            options.maximumOutage = min(options.maximumOutage, 2 * options.stallTimeout)
            options.maximumAttempts = min(options.maximumAttempts, 2)
        }
        return try HTTPByteStream(url: url.withCredentials(of: origin), options: options)
    }
}
