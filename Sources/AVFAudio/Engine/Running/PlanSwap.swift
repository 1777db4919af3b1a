import Synchronization

/// Publishes plans to the render thread, and keeps each old plan until no render can use it.
///
/// A render that began before the swap may have loaded the old plan. `renderSerial` is odd while a render runs, so an
/// old plan is unused once the serial was even, or changed, after the swap. `EngineRenderer` admits one render at a
/// time, so this is true for every caller. Requires the engine's lock.
struct PlanSwap {
    private var current: RenderPlan?
    private var retired: [(plan: RenderPlan, serial: Int)] = []

    var players: [PlayerKernel] { current?.players ?? [] }
    var usesInput: Bool { current?.usesInput ?? false }
    var hasOtherEnds: Bool { current?.hasOtherEnds ?? false }
    var taps: [AVAudioTap] { current?.taps ?? [] }
    var sequences: [SequenceKernel] { current?.sequenceKernels ?? [] }

    mutating func publish(_ plan: RenderPlan?, to renderer: EngineRenderer) {
        let old = current
        current = plan
        let raw = plan.map { Unmanaged.passUnretained($0).toOpaque() }
        renderer.plan.store(raw, ordering: .sequentiallyConsistent)
        if let old { retired.append((old, renderer.renderSerial.load(ordering: .sequentiallyConsistent))) }
        reclaim(renderer)
    }

    mutating func reclaim(_ renderer: EngineRenderer) {
        let serial = renderer.renderSerial.load(ordering: .sequentiallyConsistent)
        retired.removeAll { $0.serial % 2 == 0 || $0.serial != serial }
    }

    /// Frees all plans.
    ///
    /// Call it only when nothing renders.
    mutating func clear() {
        current = nil
        retired = []
    }
}
