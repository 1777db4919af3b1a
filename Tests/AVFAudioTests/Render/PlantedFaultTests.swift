import AVFAudio
import Foundation
import SyrinxTestSupport
import Testing

private let plantedFault = ProcessInfo.processInfo.environment["SYRINX_PLANTED_FAULT"]

/// Faults on purpose, one for each sanitizer: `scripts/sanitize` wants this suite to fail before it trusts the others.
@Suite(.enabled(if: plantedFault != nil)) struct PlantedFaultTests {
    @Test("A planted violation of the render path is found")
    func theSanitizerSeesIt() throws {
        switch plantedFault {
        case "realtime": try allocateOnTheRenderThread()
        case "thread": race()
        case "address": readWhatIsFreed()
        default: Issue.record("There is no fault of the name \(plantedFault ?? "").")
        }
    }

    private func allocateOnTheRenderThread() throws {
        let rig = try OfflineRig()
        let source = AVAudioSourceNode { _, _, count, _ in
            let kept = Unmanaged.passRetained(NSMutableArray(capacity: Int(count)))
            kept.release()
            return 0
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        _ = try rig.render(64)
    }

    private func race() {
        // Unsafe on purpose: this is the fault.
        nonisolated(unsafe) let shared = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        shared.initialize(to: 0)
        // Independent threads: a pool may run both in turn on one, and then there is no fault to see.
        let done = DispatchSemaphore(value: 0)
        for number in 1...2 {
            Thread.detachNewThread {
                for _ in 0..<1_000 { shared.pointee &+= number }
                done.signal()
            }
        }
        for _ in 1...2 { done.wait() }
        shared.deallocate()
    }

    private func readWhatIsFreed() {
        let memory = UnsafeMutablePointer<Int>.allocate(capacity: 16)
        memory.initialize(repeating: 1, count: 16)
        memory.deallocate()
        #expect(memory[3] == 1)
    }
}
