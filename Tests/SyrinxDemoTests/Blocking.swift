import Foundation

/// Runs what blocks on a thread that may be blocked: tests share the few threads of Swift's own pool.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: .init { try body() }) }
    }
}
