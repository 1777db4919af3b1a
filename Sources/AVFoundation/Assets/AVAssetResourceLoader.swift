internal import AVFAudio
public import Dispatch
public import Foundation
internal import Synchronization
internal import SyrinxByteStream

/// A delegate that provides the bytes of resources with custom URL schemes.
///
/// ```swift
/// final class Vault: AVAssetResourceLoaderDelegate {
///     let data: Data
///     init(_ data: Data) { self.data = data }
///
///     func resourceLoader(
///         _ loader: AVAssetResourceLoader,
///         shouldWaitForLoadingOfRequestedResource request: AVAssetResourceLoadingRequest
///     ) -> Bool {
///         request.contentInformationRequest?.contentLength = Int64(data.count)
///         request.contentInformationRequest?.isByteRangeAccessSupported = true
///         if let part = request.dataRequest { part.respond(with: data.dropFirst(Int(part.requestedOffset))) }
///         request.finishLoading()
///         return true
///     }
/// }
/// ```
public protocol AVAssetResourceLoaderDelegate: AnyObject {
    /// Returns whether the delegate will answer a request, now or later, by calling `finishLoading`.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool
    /// Notifies the delegate that a request was cancelled, because its bytes are no longer needed.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        didCancel loadingRequest: AVAssetResourceLoadingRequest
    )
}

extension AVAssetResourceLoaderDelegate {
    /// Refuses the request: returns false.
    public func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool { false }

    /// Does nothing.
    public func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) {}
}

/// An object that requests resources with custom URL schemes from a delegate.
open class AVAssetResourceLoader: NSObject, @unchecked Sendable {
    // Unchecked: a lock guards the mutable state; the delegate is called on its queue.

    // Unchecked: only the delegate's queue calls the delegate.
    private struct Setting: @unchecked Sendable {
        weak var delegate: (any AVAssetResourceLoaderDelegate)?
        var queue: DispatchQueue?
    }

    private let setting = Mutex(Setting())

    override init() {}

    /// The delegate.
    open var delegate: (any AVAssetResourceLoaderDelegate)? { setting.withLock { $0 }.delegate }
    /// The queue on which the delegate is called.
    open var delegateQueue: DispatchQueue? { setting.withLock { $0 }.queue }
    /// Whether decryption keys are loaded ahead; has no effect.
    open var preloadsEligibleContentKeys = false

    /// Sets the delegate; call it before a property of the asset is loaded.
    /// - Parameters:
    ///   - delegate: The delegate, which is held weakly.
    ///   - delegateQueue: The queue on which the delegate is called; `nil` is the main queue.
    open func setDelegate(_ delegate: (any AVAssetResourceLoaderDelegate)?, queue delegateQueue: DispatchQueue?) {
        let new = Setting(delegate: delegate, queue: delegateQueue ?? .main)
        setting.withLock { $0 = new }
    }

    /// Returns a stream of the bytes from the delegate; `nil` without a delegate, or for a scheme that Syrinx supports
    /// itself.
    func makeStream(for url: URL) -> (any ByteStream)? {
        let known = ["http", "https", "file"]
        guard let scheme = url.scheme?.lowercased(), !known.contains(scheme), delegate != nil else { return nil }
        return DelegateByteStream(url, loader: self)
    }

    /// Passes a request to the delegate, on the delegate's queue.
    func ask(_ request: AVAssetResourceLoadingRequest) {
        let setting = setting.withLock { $0 }
        (setting.queue ?? .main).deliver {
            let isAnswered =
                setting.delegate?.resourceLoader(self, shouldWaitForLoadingOfRequestedResource: request) ?? false
            if !isAnswered {
                request.finishLoading(
                    with: AVError(
                        .contentIsUnavailable,
                        .otherFailure,
                        "The delegate of the resource loader does not load this URL"
                    )
                )
            }
        }
    }

    /// Notifies the delegate, on its queue, that a request was cancelled.
    func tellCancelled(_ request: AVAssetResourceLoadingRequest) {
        let setting = setting.withLock { $0 }
        (setting.queue ?? .main).deliver { setting.delegate?.resourceLoader(self, didCancel: request) }
    }
}

/// The URL of a request for bytes.
///
/// On Apple's systems, `AVAssetResourceLoadingRequest.request` is a `URLRequest`. On Linux, `URLRequest` is in a
/// separate module.
public struct AVAssetResourceURLRequest: Hashable, Sendable {
    /// The URL of the resource.
    public let url: URL?
}

/// A request for a range of bytes of a resource.
///
/// Any thread may answer it.
open class AVAssetResourceLoadingRequest: NSObject, @unchecked Sendable {
    // Unchecked: the monitor guards the mutable state.

    struct State {
        var data: [UInt8] = []
        var isFinished = false
        var isCancelled = false
        var error: (any Error)?
    }

    /// The URL of the resource.
    public let request: AVAssetResourceURLRequest
    /// The description of the resource, which the delegate fills in; `nil` except in the first request.
    public let contentInformationRequest: AVAssetResourceLoadingContentInformationRequest?
    /// The range of bytes that the delegate has to provide; never `nil`.
    public let dataRequest: AVAssetResourceLoadingDataRequest?
    let state: Monitor<State>

    init(url: URL, offset: Int64, length: Int, toEnd: Bool, isFirst: Bool) {
        // Unchecked: an error crosses threads and is only read.
        let state = Monitor(State())
        self.state = state
        request = AVAssetResourceURLRequest(url: url)
        contentInformationRequest = isFirst ? AVAssetResourceLoadingContentInformationRequest() : nil
        dataRequest = AVAssetResourceLoadingDataRequest(offset, length, toEnd, state)
    }

    /// Whether `finishLoading` was called.
    open var isFinished: Bool { state.read { $0.isFinished } }
    /// Whether the request was cancelled.
    open var isCancelled: Bool { state.read { $0.isCancelled } }

    /// Completes the request successfully.
    open func finishLoading() { state.update { $0.isFinished = true } }

    /// Ends the request with an error.
    open func finishLoading(with error: (any Error)?) {
        state.update { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            state.error = error
        }
    }
}

/// The description of a resource, which a delegate fills in.
open class AVAssetResourceLoadingContentInformationRequest: NSObject, @unchecked Sendable {
    // Unchecked: a lock guards the mutable state.
    private struct State {
        var type: String?
        var length: Int64 = 0
        var hasRanges = false
    }
    private let state = Mutex(State())

    /// The type of the resource, as a uniform type identifier.
    open var contentType: String? {
        get { state.withLock { $0.type } }
        set { state.withLock { $0.type = newValue } }
    }
    /// The size of the resource in bytes; 0 if unknown.
    open var contentLength: Int64 {
        get { state.withLock { $0.length } }
        set { state.withLock { $0.length = newValue } }
    }
    /// Whether the delegate can provide any range of bytes.
    open var isByteRangeAccessSupported: Bool {
        get { state.withLock { $0.hasRanges } }
        set { state.withLock { $0.hasRanges = newValue } }
    }
}

/// The range of bytes of a request.
open class AVAssetResourceLoadingDataRequest: NSObject, @unchecked Sendable {
    // Unchecked: the monitor guards the mutable state.

    /// The offset of the first requested byte.
    public let requestedOffset: Int64
    /// The number of requested bytes.
    public let requestedLength: Int
    /// Whether all bytes up to the end are requested; `requestedLength` may then be smaller.
    public let requestsAllDataToEndOfResource: Bool
    private let state: Monitor<AVAssetResourceLoadingRequest.State>

    init(_ offset: Int64, _ length: Int, _ toEnd: Bool, _ state: Monitor<AVAssetResourceLoadingRequest.State>) {
        requestedOffset = offset
        requestedLength = length
        requestsAllDataToEndOfResource = toEnd
        self.state = state
    }

    /// The offset after the last byte that was provided.
    open var currentOffset: Int64 { requestedOffset.addingClamped(Int64(state.read { $0.data.count })) }

    /// Provides the next bytes; bytes beyond the requested range are ignored.
    open func respond(with data: Data) {
        state.update { state in
            guard !state.isFinished, !state.isCancelled else { return }
            let room = requestsAllDataToEndOfResource ? Int.max : max(requestedLength - state.data.count, 0)
            state.data.append(contentsOf: data.prefix(room))
        }
    }
}
