import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SyrinxDevice

@Suite("Requests to drop queued samples")
struct DropRequestTests {
    // Unchecked: the two threads use the request one after the other, as its documentation says.
    private final class Exchange: @unchecked Sendable {
        let request = DropRequest()
        let isOver = Atomic(false)
        let ended = DispatchSemaphore(value: 0)
    }

    /// A reference that the device's thread releases too late ends the process.
    @Test("A change is called on the device's thread, and released before the control thread continues")
    func exchange() {
        let exchange = Exchange()
        let device = Thread {
            while !exchange.isOver.load(ordering: .acquiring) {
                exchange.request.answer { frameCount, change in
                    change()
                    return frameCount == 7
                }
            }
            exchange.ended.signal()
        }
        device.start()
        var (changeCount, doneCount) = (0, 0)
        for _ in 0..<20_000 where exchange.request.send(atMost: 7, { changeCount += 1 }, wake: {}) { doneCount += 1 }
        exchange.isOver.store(true, ordering: .releasing)
        exchange.ended.wait()
        #expect(doneCount == changeCount && doneCount > 0)
    }
}
