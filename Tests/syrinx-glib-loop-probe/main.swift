import Dispatch
import Foundation
import SyrinxGLibLoop

// A process whose main thread runs GLib's loop, as an app does; the tests' own is under an asynchronous main. Prints figures
// by name.

@MainActor
func report(_ figures: [String: Double]) {
    for (name, value) in figures.sorted(by: { $0.key < $1.key }) { print("\(name)=\(value)") }
}

/// The results that a scenario collects, on the main actor.
@MainActor
final class Notes {
    var delays: [Double] = []
    var wasMain = true
    var order: [Int] = []
    var isDone = false
    var isJobDone = false
}

func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Hops from the background to the main actor, one after the other.
@MainActor
func hops(_ count: Int) {
    let notes = Notes()
    Task.detached {
        for _ in 0..<count {
            let start = now()
            await MainActor.run {
                notes.delays.append(now() - start)
                notes.wasMain = notes.wasMain && Thread.isMainThread
            }
        }
    }
    GLibLoop.run { notes.delays.count == count }
    let delays = notes.delays
    report([
        "hops": Double(delays.count), "median": delays.sorted()[count / 2], "longest": delays.max() ?? 0,
        "onMainThread": notes.wasMain ? 1 : 0,
    ])
}

/// Blocks and timers of the main queue, and work that was queued before the source was there.
@MainActor
func queued() {
    let notes = Notes()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) { MainActor.assumeIsolated { notes.order.append(3) } }
    DispatchQueue.global().async { DispatchQueue.main.async { MainActor.assumeIsolated { notes.order.append(2) } } }
    GLibLoop.run { notes.order.contains(3) }
    report(["ran": Double(notes.order.count), "last": Double(notes.order.last ?? 0)])
}

/// A second with nothing to do.
@MainActor
func idle() {
    let notes = Notes()
    Task { notes.isDone = true }
    GLibLoop.run { notes.isDone }
    let (wakeUps, time) = (GLibLoop.wakeUpCount, processorTime())
    notes.isDone = false
    GLibLoop.after(milliseconds: 1000) { notes.isDone = true }
    GLibLoop.run { notes.isDone }
    report(["wakeUps": Double(GLibLoop.wakeUpCount - wakeUps), "processorTime": processorTime() - time])
}

/// A loop inside a callback of GLib, which waits for a job of the main actor.
@MainActor
func nestedInCallback() {
    let notes = Notes()
    GLibLoop.after(milliseconds: 10) {
        Task.detached { await MainActor.run { notes.isJobDone = true } }
        GLibLoop.run { notes.isJobDone }
        notes.isDone = true
    }
    GLibLoop.run { notes.isDone }
    report(["done": 1])
}

/// A loop inside a job of the main queue: other jobs wait for its end, and the loop sleeps meanwhile.
@MainActor
func nestedInJob() {
    let notes = Notes()
    var wakeUps = 0
    var time = 0.0
    DispatchQueue.main.async {
        MainActor.assumeIsolated {
            DispatchQueue.global().async {
                DispatchQueue.main.async { MainActor.assumeIsolated { notes.order.append(2) } }
            }
            var isOver = false
            (wakeUps, time) = (GLibLoop.wakeUpCount, processorTime())
            GLibLoop.after(milliseconds: 300) { isOver = true }
            GLibLoop.run { isOver }
            (wakeUps, time) = (GLibLoop.wakeUpCount - wakeUps, processorTime() - time)
            notes.order.append(1)
        }
    }
    GLibLoop.run { notes.order.contains(2) }
    report(["loopFirst": notes.order.first == 1 ? 1 : 0, "wakeUps": Double(wakeUps), "processorTime": time])
}

DispatchQueue.main.async { MainActor.assumeIsolated { report(["early": 1]) } }
GLibLoop.attach()
GLibLoop.attach()
switch CommandLine.arguments.dropFirst().first {
case "hops": hops(1000)
case "queued": queued()
case "idle": idle()
case "nestedInCallback": nestedInCallback()
case "nestedInJob": nestedInJob()
default: exit(64)
}
