import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SyrinxStreaming

/// The waiting of a pump's thread for a measurement.
@Suite struct PumpCommandsTests {
    private final class Measurement: Sendable {
        let goesOn = Atomic<Bool>(true)
        let asked = DispatchSemaphore(value: 0)
        let waited = DispatchSemaphore(value: 0)

        func begin(_ commands: PumpCommands) {
            Thread.detachNewThread { [self] in
                commands.wait {
                    asked.signal()
                    return goesOn.load(ordering: .sequentiallyConsistent)
                }
                waited.signal()
            }
        }
    }

    private static let limit = 20.0

    @Test("A pump waits until a measurement has ended")
    func aPumpWaitsUntilAMeasurementHasEnded() {
        let (commands, measurement) = (PumpCommands(mayStart: true, end: nil), Measurement())
        measurement.begin(commands)
        #expect(measurement.asked.wait(timeout: .now() + Self.limit) == .success)
        // Other news have it asked again, and wait on.
        commands.noteTaken()
        #expect(measurement.asked.wait(timeout: .now() + Self.limit) == .success)
        measurement.goesOn.store(false, ordering: .sequentiallyConsistent)
        commands.noteMeasurement()
        #expect(measurement.waited.wait(timeout: .now() + Self.limit) == .success)
    }

    @Test("A stopped pump does not wait any longer")
    func aPumpThatIsEndedWaitsNoLonger() {
        let (commands, measurement) = (PumpCommands(mayStart: true, end: nil), Measurement())
        measurement.begin(commands)
        #expect(measurement.asked.wait(timeout: .now() + Self.limit) == .success)
        commands.end()
        #expect(measurement.waited.wait(timeout: .now() + Self.limit) == .success)
    }
}
