public import Foundation

/// The interface of an object that downloads a URL and delivers its bytes in order; `Downloader` conforms to it.
public protocol Downloading: AnyObject {
    /// The delegate.
    ///
    /// Data and the end arrive on the downloader's thread. A change of the state by `start()`, `pause()` or `stop()` is
    /// reported on the caller's thread.
    var delegate: (any DownloadingDelegate)? { get set }
    /// A handler that is called once at the end, with the error if the download failed.
    var completionHandler: (@Sendable ((any Error)?) -> Void)? { get set }
    /// A handler that receives each piece of data, and the progress after it, 0…1.
    var progressHandler: (@Sendable (Data, Float) -> Void)? { get set }
    /// The delivered fraction, 0…1; 0 while the length is unknown.
    var progress: Float { get }
    /// The state of the downloader.
    var state: DownloadingState { get }
    /// The URL to download.
    ///
    /// Setting it cancels the current download.
    var url: URL? { get set }
    /// The number of bytes delivered so far.
    var totalBytesReceived: Int64 { get }
    /// The length of the resource in bytes; `nil` until it is known.
    var totalBytesCount: Int64? { get }
    /// Starts the download, or resumes it after `pause()`.
    func start()
    /// Pauses the download.
    ///
    /// The connection stays open as long as the server allows; otherwise `start()` resumes at the same offset.
    func pause()
    /// Cancels the download and closes the connection.
    func stop()
}

/// The state of a downloader.
public enum DownloadingState: String, Sendable {
    /// The download has not started.
    case notStarted
    /// The download is running.
    case started
    /// The download is paused.
    case paused
    /// The download was cancelled.
    case stopped
    /// All bytes have been delivered, or the download has failed.
    case completed
}

/// The delegate of a downloader; its methods are called on the downloader's own thread, or on the thread that changes
/// the state.
public protocol DownloadingDelegate: AnyObject {
    /// The state of the downloader changed.
    func download(_ download: any Downloading, changedState state: DownloadingState)
    /// The download has ended; `error` is `nil` if it is complete.
    func download(_ download: any Downloading, completedWithError error: (any Error)?)
    /// The next bytes arrived; `progress` is the delivered fraction, 0…1.
    func download(_ download: any Downloading, didReceiveData data: Data, progress: Float)
}
