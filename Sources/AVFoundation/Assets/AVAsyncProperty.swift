public import Foundation
internal import Synchronization

/// A property of `Root` that is loaded asynchronously, without its type.
public class AVPartialAsyncProperty<Root>: @unchecked Sendable {
    // Unchecked: immutable after `init`.
    /// The name of the property.
    let key: String

    init(key: String) {
        self.key = key
    }
}

/// A property of `Root` that is loaded asynchronously, such as `.duration` of an asset.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    // Unchecked: immutable after `init`.
    /// Returns the value; blocks until it is loaded.
    let value: @Sendable (Root) throws -> Value

    init(_ key: String, _ value: @escaping @Sendable (Root) throws -> Value) {
        self.value = value
        super.init(key: key)
    }

    /// The loading state of a property.
    public enum Status {
        /// Loading has not started.
        case notYetLoaded
        /// The property is being loaded.
        case loading
        /// The property is loaded and has this value.
        case loaded(Value)
        /// Loading failed with this error.
        case failed(NSError)
    }
}

/// An object with properties that are loaded asynchronously.
public protocol AVAsynchronousKeyValueLoading: AnyObject, Sendable {
    /// Returns the loading state of the property `key`, and its error if loading failed.
    func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus
    /// Loads properties in the background, then calls `handler`, also after a failure.
    func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)?)
}

/// The queue on which assets are opened: opening blocks while bytes arrive, which must not block a thread of the
/// cooperative pool.
let loadingQueue = DispatchQueue(label: "AVFoundation.loading", qos: .userInitiated, attributes: .concurrent)

extension AVAsynchronousKeyValueLoading {
    /// Loads a property.
    ///
    /// ```swift
    /// let asset = AVURLAsset(url: url)
    /// print(try await asset.load(.duration).seconds)
    /// ```
    /// - Throws: `AVError` if loading fails; `CancellationError` if the task is cancelled.
    public func load<A>(_ property: AVAsyncProperty<Self, A>) async throws -> A {
        let answer = Answer<A>()
        let object = self
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer.wait(with: continuation)
                loadingQueue.async { answer.give(Result { try property.value(object) }) }
            }
        } onCancel: {
            answer.give(.failure(CancellationError()))
        }
    }

    /// Returns the loading state of a property, with its value if it is loaded.
    ///
    /// ```swift
    /// if case .loaded(let duration) = asset.status(of: .duration) { print(duration.seconds) }
    /// ```
    public func status<A>(of property: AVAsyncProperty<Self, A>) -> AVAsyncProperty<Self, A>.Status {
        var error: NSError?
        switch statusOfValue(forKey: property.key, error: &error) {
        case .unknown: return .notYetLoaded
        case .loading: return .loading
        case .loaded:
            do {
                return .loaded(try property.value(self))
            } catch {
                return .failed(error as NSError)
            }
        case .failed, .cancelled: return .failed(error ?? NSError(domain: AVFoundationErrorDomain, code: -11800))
        }
    }
}

/// A value that resumes a continuation; the first answer wins.
private final class Answer<Value>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case done
    }

    // Unchecked: the value passes from one thread to another, and the first thread does not keep it.
    private struct Box: @unchecked Sendable {
        var state = State.idle
    }

    private let box = Mutex(Box())

    func wait(with continuation: CheckedContinuation<Value, any Error>) {
        let given = box.withLock { box -> SendableResult? in
            if case .given(let result) = box.state {
                box.state = .done
                return SendableResult(result: result)
            }
            box.state = .waiting(continuation)
            return nil
        }
        if let given { continuation.resume(with: given.result) }
    }

    func give(_ result: sending Result<Value, any Error>) {
        let answer = SendableResult(result: result)
        let waiting = box.withLock { box -> CheckedContinuation<Value, any Error>? in
            switch box.state {
            case .idle: box.state = .given(answer.result)
            case .waiting(let continuation):
                box.state = .done
                return continuation
            case .given, .done: break
            }
            return nil
        }
        waiting?.resume(with: answer.result)
    }

    // Unchecked: for the same reason.
    private struct SendableResult: @unchecked Sendable {
        let result: Result<Value, any Error>
    }
}
