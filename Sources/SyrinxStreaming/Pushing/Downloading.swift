public import Foundation

/// Fetches the bytes of a URL and hands them on in order.
public protocol Downloading: AnyObject {
    /// Told of what happens, on the downloader's own thread.
    var delegate: (any DownloadingDelegate)? { get set }
    /// Called once at the end, with what went wrong if something did.
    var completionHandler: (@Sendable ((any Error)?) -> Void)? { get set }
    /// Called with each piece, and the progress after it.
    var progressHandler: (@Sendable (Data, Float) -> Void)? { get set }
    /// The share that has been delivered, 0…1; 0 as long as the length is not known.
    var progress: Float { get }
    /// The state of the downloader.
    var state: DownloadingState { get }
    /// The URL to fetch.
    ///
    /// Setting it stops the current download and forgets it.
    var url: URL? { get set }
    /// Bytes handed on so far.
    var totalBytesReceived: Int64 { get }
    /// The whole length, as soon as it is known.
    var totalBytesCount: Int64? { get }
    /// Begins, or goes on after `pause()`.
    func start()
    /// Stands still. The connection is kept as long as the server keeps it, and taken up again where it ended.
    func pause()
    /// Ends, and lets the connection go.
    func stop()
}

/// The state of a downloader.
public enum DownloadingState: String, Sendable {
    /// Not begun.
    case notStarted
    /// Fetching.
    case started
    /// Standing still.
    case paused
    /// Ended early.
    case stopped
    /// All bytes have been handed on, or it has failed.
    case completed
}

/// Told of what a downloader does, on the downloader's own thread.
public protocol DownloadingDelegate: AnyObject {
    /// The state has changed.
    func download(_ download: any Downloading, changedState state: DownloadingState)
    /// It is over: whole, or with an error.
    func download(_ download: any Downloading, completedWithError error: (any Error)?)
    /// The next bytes are here.
    func download(_ download: any Downloading, didReceiveData data: Data, progress: Float)
}
