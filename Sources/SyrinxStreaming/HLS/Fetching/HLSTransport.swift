import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// A monotonic clock with timers.
protocol HLSClock: Sendable {
    /// The current time in seconds.
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
    /// Whether a playlist that was loaded over HTTPS may refer to HTTP.
    var allowsInsecure: Bool { get }
    /// Opens a stream of a resource without fetching.
    func open(_ url: URL, _ purpose: HLSPurpose) throws(SyrinxError) -> any ByteStream
}

/// The use of a resource of a presentation.
enum HLSPurpose: Sendable {
    case playlist
    case key
    case initialization
    case segment
    /// A part of a segment with this maximum duration.
    case part(seconds: Double)
    /// The first packets of a segment only.
    case overlap
}

/// Opens files and resources on servers.
struct HLSNetwork: HLSTransport {
    let clock: any HLSClock = HLSSystemClock()
    /// The URL of the input, whose headers and password are sent to its own origin only.
    let origin: URL
    let options: HTTPByteStream.Options

    /// The playlists, keys and segments of a presentation share cookies, whatever their hosts.
    init(origin: URL, options: HTTPByteStream.Options) {
        self.origin = origin
        var options = options
        options.cookies = options.cookies ?? CookieJar()
        self.options = options
    }

    /// The number of bytes of a segment to fetch ahead of the reader, and to keep behind it.
    private static let segmentWindow = 4 << 20
    /// The number of bytes that contain a few packets of most streams.
    private static let overlapWindow = 16 << 10
    private static let smallWindow = 64 << 10
    /// The minimum silence in seconds after which a part is requested again.
    private static let shortestStall = 1.0

    var patience: Double { options.maximumOutage }
    var allowsInsecure: Bool { options.allowsInsecureRedirects }

    func open(_ url: URL, _ purpose: HLSPurpose) throws(SyrinxError) -> any ByteStream {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            return try FileByteStream(url: url)
        }
        var options = options
        // A live playlist changes with each load, and its segments are not played again.
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
            // The segment contains the part too, and is available a few seconds later.
            options.stallTimeout = min(options.stallTimeout, max(3 * seconds, Self.shortestStall))
            options.maximumOutage = min(options.maximumOutage, 2 * options.stallTimeout)
            options.maximumAttempts = min(options.maximumAttempts, 2)
        }
        return try HTTPByteStream(url: url.withCredentials(of: origin), options: options)
    }
}
