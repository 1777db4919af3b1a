internal import Foundation
internal import SyrinxByteStream

/// A byte stream that requests bytes from the delegate of a resource loader as they are read.
///
/// It holds the bytes of one request at a time.
final class DelegateByteStream: ByteStream {
    let name: String
    private let url: URL
    private let loader: AVAssetResourceLoader

    private struct State {
        var length: Int64?
        var hasRanges = true
        var request: AVAssetResourceLoadingRequest?
        var offset: Int64 = 0
        var isCancelled = false
        var mimeType: String?
        var hasInformation = false
    }

    private let state = Monitor(State())
    /// The number of bytes in a request.
    private static let requestSize = 256 << 10

    init(_ url: URL, loader: AVAssetResourceLoader) {
        self.url = url
        self.loader = loader
        name = Redaction.redact(url)
    }

    var length: Int64? { state.read { $0.length } }
    var isSeekable: Bool { true }
    var isRemote: Bool { true }
    var mimeType: String? { state.read { $0.mimeType } }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        guard !buffer.isEmpty, offset >= 0, offset < 1 << 60 else { return 0 }
        try learn()
        if let length, offset >= length { return 0 }
        while true {
            let (request, start) = try requestHolding(offset)
            let skip = Int(clamping: offset.subtractingClamped(start))
            let answer = try wait(request, for: skip)
            guard let bytes = answer else {
                // The delegate has finished this request, and its bytes end here.
                guard skip > 0, length.map({ offset < $0 }) ?? true else { return 0 }
                state.update { $0.request = nil }
                continue
            }
            let count = min(bytes.count, buffer.count)
            bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            return count
        }
    }

    func cancel() {
        let request = state.update { state in
            state.isCancelled = true
            return state.request
        }
        guard let request, !request.isFinished else { return }
        request.state.update { $0.isCancelled = true }
        loader.tellCancelled(request)
    }

    /// Requests the description of the resource once, and waits for the answer.
    private func learn() throws(SyrinxError) {
        guard !state.read({ $0.hasInformation }) else { return }
        let request = AVAssetResourceLoadingRequest(url: url, offset: 0, length: 2, toEnd: false, isFirst: true)
        try begin(request, at: 0)
        try finish(request)
        let information = request.contentInformationRequest
        state.update { state in
            let length = information?.contentLength ?? 0
            state.length = length > 0 ? length : nil
            state.hasRanges = information?.isByteRangeAccessSupported ?? false
            state.mimeType = information?.contentType
            state.hasInformation = true
            state.request = nil
        }
    }

    private func begin(_ request: AVAssetResourceLoadingRequest, at offset: Int64) throws(SyrinxError) {
        let (isCancelled, previous) = state.update { state in
            let previous = state.request
            if !state.isCancelled { (state.request, state.offset) = (request, offset) }
            return (state.isCancelled, previous)
        }
        if let previous, !previous.isFinished {
            previous.state.update { $0.isCancelled = true }
            loader.tellCancelled(previous)
        }
        guard !isCancelled else { throw cancelled }
        loader.ask(request)
    }

    /// Returns the request that contains `offset`, or starts a new one there.
    private func requestHolding(_ offset: Int64) throws(SyrinxError) -> (AVAssetResourceLoadingRequest, Int64) {
        let (request, start, length, hasRanges) = state.read { ($0.request, $0.offset, $0.length, $0.hasRanges) }
        if let request, offset >= start {
            let held = Int64(request.state.read { $0.data.count })
            let asked =
                request.dataRequest.map { $0.requestsAllDataToEndOfResource ? .max : Int64($0.requestedLength) } ?? 0
            if offset < start.addingClamped(held) || !request.isFinished && offset < start.addingClamped(asked) {
                return (request, start)
            }
        }
        // If the delegate does not support ranges, everything is requested from the start.
        let first = hasRanges ? offset : 0
        let rest = length.map { Int(clamping: $0.subtractingClamped(first)) }
        let toEnd = !hasRanges || length == nil
        let count = toEnd ? rest ?? .max : min(rest ?? Self.requestSize, Self.requestSize)
        let new = AVAssetResourceLoadingRequest(url: url, offset: first, length: count, toEnd: toEnd, isFirst: false)
        try begin(new, at: first)
        return (new, first)
    }

    /// Waits for bytes after the first `skip` bytes; returns `nil` if the request ends before.
    private func wait(_ request: AVAssetResourceLoadingRequest, for skip: Int) throws(SyrinxError) -> [UInt8]? {
        let result = request.state.wait { state -> Result<[UInt8]?, SyrinxError>? in
            if state.isCancelled { return .failure(self.cancelled) }
            if state.data.count > skip { return .success(Array(state.data[skip...].prefix(1 << 16))) }
            if let error = state.error { return .failure(self.failure(error)) }
            return state.isFinished ? .success(nil) : nil
        }
        return try result.get()
    }

    private func finish(_ request: AVAssetResourceLoadingRequest) throws(SyrinxError) {
        let result = request.state.wait { state -> Result<Void, SyrinxError>? in
            if state.isCancelled { return .failure(self.cancelled) }
            if let error = state.error { return .failure(self.failure(error)) }
            return state.isFinished ? .success(()) : nil
        }
        try result.get()
    }

    private var cancelled: SyrinxError { SyrinxError(.cancelled, "it was cancelled", name: name) }

    private func failure(_ error: any Error) -> SyrinxError {
        SyrinxError(.otherFailure, error.localizedDescription, name: name, underlying: error)
    }
}
