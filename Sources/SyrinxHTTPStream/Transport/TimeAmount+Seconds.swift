import NIOCore
import SyrinxByteStream

extension TimeAmount {
    /// A hundred years: NIO adds amounts to the time since the start of the machine, and that sum has to fit.
    private static let longest: Int64 = 100 * 365 * 86_400 * 1_000_000_000

    /// So many seconds, at least 0 and at most a hundred years; 0 for what is not a number.
    static func clamped(seconds: Double) -> TimeAmount {
        .nanoseconds(min(max(Int64(clamped: seconds * 1e9), 0), longest))
    }
}
