internal import AVFAudio
public import Dispatch
public import Foundation
internal import Synchronization
internal import SyrinxByteStream

/// Gives an asset the bytes of a resource whose scheme is not known here.
public protocol AVAssetResourceLoaderDelegate: AnyObject {
    /// Returns whether the delegate is going to answer a request, now or later, by `finishLoading`.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool
    /// Cancels a request, because its bytes are not needed any more.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        didCancel loadingRequest: AVAssetResourceLoadingRequest
    )
}

extension AVAssetResourceLoaderDelegate {
    /// Refuses the request.
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

/// Asks a delegate for resources of schemes that are not known here.
open class AVAssetResourceLoader: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind a lock; the delegate is called on its queue.

    // Unchecked: only the delegate's queue calls it.
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
    /// Whether keys are loaded before they are needed; without effect.
    open var preloadsEligibleContentKeys = false

    /// Sets the delegate, before anything of the asset is loaded.
    /// - Parameters:
    ///   - delegate: The delegate, to which no reference is kept.
    ///   - delegateQueue: The queue on which it is called; the main queue for `nil`.
    open func setDelegate(_ delegate: (any AVAssetResourceLoaderDelegate)?, queue delegateQueue: DispatchQueue?) {
        let new = Setting(delegate: delegate, queue: delegateQueue ?? .main)
        setting.withLock { $0 = new }
    }

    /// Makes a stream of what the delegate gives; `nil` for a scheme that is known, or without a delegate.
    func makeStream(for url: URL) -> (any ByteStream)? {
        let known = ["http", "https", "file"]
        guard let scheme = url.scheme?.lowercased(), !known.contains(scheme), delegate != nil else { return nil }
        return DelegateByteStream(url, loader: self)
    }

    /// Asks the delegate, on its queue.
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

    /// Reports to the delegate, on its queue, that a request has been cancelled.
    func tellCancelled(_ request: AVAssetResourceLoadingRequest) {
        let setting = setting.withLock { $0 }
        (setting.queue ?? .main).deliver { setting.delegate?.resourceLoader(self, didCancel: request) }
    }
}

/// The URL of a request for bytes.
///
/// On Apple's systems this is a `URLRequest`, which is part of another module here.
public struct AVAssetResourceURLRequest: Hashable, Sendable {
    /// The resource.
    public let url: URL?
}

/// A request for bytes of a resource.
///
/// Any thread may answer it.
open class AVAssetResourceLoadingRequest: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind the monitor.

    struct State {
        var data: [UInt8] = []
        var isFinished = false
        var isCancelled = false
        var error: (any Error)?
    }

    /// The resource.
    public let request: AVAssetResourceURLRequest
    /// The description of the resource to fill in, in the first request.
    public let contentInformationRequest: AVAssetResourceLoadingContentInformationRequest?
    /// The bytes to give.
    public let dataRequest: AVAssetResourceLoadingDataRequest?
    let state: Monitor<State>

    init(url: URL, offset: Int64, length: Int, toEnd: Bool, isFirst: Bool) {
        // Unchecked inside: an error crosses threads, and is only read.
        let state = Monitor(State())
        self.state = state
        request = AVAssetResourceURLRequest(url: url)
        contentInformationRequest = isFirst ? AVAssetResourceLoadingContentInformationRequest() : nil
        dataRequest = AVAssetResourceLoadingDataRequest(offset, length, toEnd, state)
    }

    /// Whether `finishLoading` was called.
    open var isFinished: Bool { state.read { $0.isFinished } }
    /// Whether the request has been cancelled.
    open var isCancelled: Bool { state.read { $0.isCancelled } }

    /// Says that all bytes have been given.
    open func finishLoading() { state.update { $0.isFinished = true } }

    /// Says that the bytes cannot be given.
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
    // Unchecked: what changes is behind a lock.
    private struct State {
        var type: String?
        var length: Int64 = 0
        var hasRanges = false
    }
    private let state = Mutex(State())

    /// The kind of the resource, as a uniform type identifier.
    open var contentType: String? {
        get { state.withLock { $0.type } }
        set { state.withLock { $0.type = newValue } }
    }
    /// Bytes of the resource; 0 if that is not known.
    open var contentLength: Int64 {
        get { state.withLock { $0.length } }
        set { state.withLock { $0.length = newValue } }
    }
    /// Whether any range of bytes can be asked for.
    open var isByteRangeAccessSupported: Bool {
        get { state.withLock { $0.hasRanges } }
        set { state.withLock { $0.hasRanges = newValue } }
    }
}

/// The bytes that a request is for.
open class AVAssetResourceLoadingDataRequest: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind the monitor.

    /// The first byte.
    public let requestedOffset: Int64
    /// The number of bytes.
    public let requestedLength: Int
    /// Whether all bytes up to the end are asked for; `requestedLength` may then be less.
    public let requestsAllDataToEndOfResource: Bool
    private let state: Monitor<AVAssetResourceLoadingRequest.State>

    init(_ offset: Int64, _ length: Int, _ toEnd: Bool, _ state: Monitor<AVAssetResourceLoadingRequest.State>) {
        requestedOffset = offset
        requestedLength = length
        requestsAllDataToEndOfResource = toEnd
        self.state = state
    }

    /// The byte behind those that have been given.
    open var currentOffset: Int64 { requestedOffset.addingClamped(Int64(state.read { $0.data.count })) }

    /// Gives the next bytes; more than asked for are dropped.
    open func respond(with data: Data) {
        state.update { state in
            guard !state.isFinished, !state.isCancelled else { return }
            let room = requestsAllDataToEndOfResource ? Int.max : max(requestedLength - state.data.count, 0)
            state.data.append(contentsOf: data.prefix(room))
        }
    }
}
