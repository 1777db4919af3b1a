import Foundation

/// Seconds within which something that has to happen at once has happened on the busiest machine.
///
/// What hangs takes longer: every time limit of the code under test that could be waited for by mistake is above it.
/// Tests tell the two apart, and nothing finer: how fast a thing is, a benchmark says.
public let promptly = 5.0

/// Whether `work` returns within `promptly`.
public func isPrompt(_ work: () -> Void) -> Bool {
    let begin = ContinuousClock.now
    work()
    return ContinuousClock.now - begin < .seconds(promptly)
}

/// Waits until `condition` holds, which is asked every millisecond.
/// - Returns: Whether it held before `timeout` seconds had passed.
@discardableResult
public func waitUntil(timeout: Double = 60, _ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(timeout)
    while !condition() {
        if ContinuousClock.now >= end { return condition() }
        usleep(1000)
    }
    return true
}
