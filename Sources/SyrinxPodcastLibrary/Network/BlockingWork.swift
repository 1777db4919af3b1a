import Dispatch

/// Work that waits for the network or the disk, on threads of its own: the cooperative pool's must not wait.
enum BlockingWork {
    private static let queue = DispatchQueue(label: "syrinx.podcasts", attributes: .concurrent)

    /// Runs `body`; when the task is cancelled, `cancel` makes it end.
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
