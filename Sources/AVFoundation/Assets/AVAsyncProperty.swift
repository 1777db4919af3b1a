public import Foundation
internal import Synchronization

/// A property of `Root` that takes time to load, whatever its type.
public class AVPartialAsyncProperty<Root>: @unchecked Sendable {
    // Unchecked: nothing changes after `init`.
    /// The name of the property.
    let key: String

    init(key: String) {
        self.key = key
    }
}

/// A property of `Root` that takes time to load, such as `.duration` of an asset.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.
    /// Gives the value, and waits for it if it has to.
    let value: @Sendable (Root) throws -> Value

    init(_ key: String, _ value: @escaping @Sendable (Root) throws -> Value) {
        self.value = value
        super.init(key: key)
    }

    /// The states of a property.
    public enum Status {
        /// Nothing has asked for it yet.
        case notYetLoaded
        /// It is being loaded.
        case loading
        /// It is there.
        case loaded(Value)
        /// It cannot be loaded.
        case failed(NSError)
    }
}

/// An object with properties that take time to load.
public protocol AVAsynchronousKeyValueLoading: AnyObject, Sendable {
    /// Returns the state of the property of this name, and why it has failed if it has.
    func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus
    /// Loads properties in the background, and calls `completionHandler` when they are there or have failed.
    func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)?)
}

/// The queue on which assets are opened: opening waits for bytes, which no thread of a task may do.
let loadingQueue = DispatchQueue(label: "AVFoundation.loading", qos: .userInitiated, attributes: .concurrent)

extension AVAsynchronousKeyValueLoading {
    /// Loads a property.
    /// - Throws: `AVError`; `CancellationError` if the task is cancelled meanwhile.
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

    /// Returns the state of a property, with its value if it is there.
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

/// A value that a continuation waits for; the first answer counts.
private final class Answer<Value>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case done
    }

    // Unchecked: the value is handed from one thread to one other, and the first does not keep it.
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

    // Unchecked: as above.
    private struct SendableResult: @unchecked Sendable {
        let result: Result<Value, any Error>
    }
}
