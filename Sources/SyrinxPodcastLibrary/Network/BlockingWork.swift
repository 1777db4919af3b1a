import Dispatch

/// Runs work that waits for network or disk on separate threads, because the cooperative thread pool must not block.
enum BlockingWork {
    private static let queue = DispatchQueue(label: "syrinx.podcasts", attributes: .concurrent)

    /// Runs `body`; if the task is cancelled, calls `cancel`, which must end `body`.
    static func run<Value: Sendable>(
        cancel: @escaping @Sendable () -> Void,
        _ body: @escaping @Sendable () throws(PodcastError) -> Value
    ) async throws(PodcastError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, PodcastError>, Never>) in
                queue.async {
                    do throws(PodcastError) { continuation.resume(returning: .success(try body())) } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }
}
