import CSyrinxCurl
import SyrinxByteStream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The state of the transport's thread: running transfers, timers, and idle handles for later requests.
///
/// Only that thread uses it.
final class TransportLoop {
    private var multi: OpaquePointer
    let transport: Transport
    private var running: [OpaquePointer: Transfer] = [:]
    /// Ascending by deadline.
    private var timers: [TransportTimer] = []
    let handles = HandlePool()

    /// Whether a command can end a wait: without free file descriptors, libcurl has none for that.
    private var canBeWoken = true
    /// The time, in seconds of `Uptime`, since which no transfer runs; `nil` if one runs or no connection is open.
    private var idleSince: Double?

    /// The time in seconds for which an idle connection stays open: longer than most HTTP Live Streaming segments.
    static let idleTime = 15.0
    /// The maximum number of idle connections: more than the streams of one user need.
    private static let mostIdleConnections = 32
    /// The maximum wait for events in seconds; any command ends it earlier.
    private static let longestWait = 600.0
    /// The wait for events in seconds if commands cannot end it.
    private static let shortWait = 0.05

    private static nonisolated(unsafe) var thread: pthread_t?
    // The transport's thread writes it once, before it performs anything; a read of a word is atomic.

    /// Whether the caller runs on the transport's thread.
    static var isOnThread: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    init(transport: Transport) {
        self.transport = transport
        Self.thread = pthread_self()
        guard let multi = csyrinx_multi_init() else { preconditionFailure("libcurl could not allocate memory") }
        self.multi = multi
        configure()
        transport.use(multi)
    }

    private func configure() {
        csyrinx_multi_set_long(multi, Int32(CSYRINX_MULTI_MAXCONNECTS), Self.mostIdleConnections)
        canBeWoken = csyrinx_multi_wakeup(multi) == 0
    }

    /// Closes all connections after `idleTime` without a transfer; libcurl itself would close them only with the next
    /// transfer.
    private func closeConnections() {
        idleSince = nil
        guard let new = csyrinx_multi_init() else { return }
        let old = multi
        multi = new
        configure()
        transport.use(new)
        csyrinx_multi_cleanup(old)
    }

    /// Performs all pending work, then waits for the network, a timer or the next command.
    func turn() {
        csyrinx_multi_perform(multi)
        var result: Int32 = 0
        while let handle = csyrinx_multi_next_ended(multi, &result) { ended(handle, result) }
        fireTimers()
        let stall = endStalledTransfers()
        if !running.isEmpty { idleSince = nil }
        let idleEnd = idleSince.map { $0 + Self.idleTime }
        // A command may have woken the old `curl_multi`, so the new one must not wait.
        if let idleEnd, idleEnd <= Uptime.now { return closeConnections() }
        let next = [timers.first?.deadline, stall, idleEnd].compactMap(\.self).min() ?? .infinity
        let wait = min(next - Uptime.now, canBeWoken ? Self.longestWait : Self.shortWait)
        // Rounded up, so that the timer is due after the wait.
        csyrinx_multi_poll(multi, Int32(clamped: max(0, (wait * 1_000).rounded(.up))))
    }

    func perform(_ command: Transport.Command) {
        switch command {
        case .start(let transfer): start(transfer)
        case .resume(let transfer): transfer.resumeOnLoop()
        case .cancel(let transfer, let keepsConnection): cancel(transfer, keepsConnection: keepsConnection)
        case .set(let timer): set(timer)
        case .cancelTimer(let timer): cancelTimer(timer)
        case .free(let share): share.free()
        }
    }

    // MARK: Transfers

    private func start(_ transfer: Transfer) {
        do throws(FetchFailure) {
            guard let handle = try transfer.prepare(on: self) else { return }
            running[handle] = transfer
            csyrinx_multi_add_handle(multi, handle)
        } catch {
            transfer.fail(error)
        }
    }

    /// Cancels a transfer without calling its listener.
    ///
    /// The connection is closed, unless other transfers share it.
    func cancel(_ transfer: Transfer, keepsConnection: Bool = false) {
        if let handle = transfer.handle, running.removeValue(forKey: handle) != nil {
            // Otherwise, libcurl keeps an HTTP/2 connection for the next request even if it is silent.
            csyrinx_easy_set_long(handle, Int32(CSYRINX_OPT_FORBID_REUSE), keepsConnection ? 0 : 1)
            csyrinx_multi_remove_handle(multi, handle)
            noteIdleness()
        }
        transfer.release()
    }

    private func ended(_ handle: OpaquePointer, _ result: Int32) {
        guard let transfer = running.removeValue(forKey: handle) else { return }
        csyrinx_multi_remove_handle(multi, handle)
        noteIdleness()
        guard transfer.asksAgainWithDigest(result) else { return transfer.finish(result) }
        running[handle] = transfer
        csyrinx_multi_add_handle(multi, handle)
    }

    private func noteIdleness() {
        if running.isEmpty { idleSince = Uptime.now }
    }

    /// Ends silent transfers, and returns the time of the next silence limit.
    private func endStalledTransfers() -> Double? {
        let now = Uptime.now
        for transfer in running.values where transfer.stallDeadline.map({ $0 <= now }) == true { transfer.stalled() }
        return running.values.compactMap(\.stallDeadline).min()
    }

    // MARK: Timers

    private func set(_ timer: TransportTimer) {
        let index = timers.partitioningIndex { $0.deadline > timer.deadline }
        timers.insert(timer, at: index)
    }

    private func cancelTimer(_ timer: TransportTimer) {
        var index = timers.partitioningIndex { $0.deadline >= timer.deadline }
        while index < timers.count, timers[index].deadline == timer.deadline {
            if timers[index] === timer {
                timers.remove(at: index)
                return
            }
            index += 1
        }
    }

    private func fireTimers() {
        let now = Uptime.now
        while let timer = timers.first, timer.deadline <= now {
            timers.removeFirst()
            timer.action()
        }
    }
}

extension Array {
    /// Returns the index of the first element for which `belongsToSecondPart` is true, in a partitioned array.
    fileprivate func partitioningIndex(_ belongsToSecondPart: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongsToSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
