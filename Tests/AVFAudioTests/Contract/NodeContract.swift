import AVFAudio
import Foundation
import SyrinxTestSupport

/// A node in its graph, as the contract wants it: fed, connected, and set in one way.
struct NodeCase: Sendable, CustomStringConvertible {
    /// The name in failures.
    let name: String
    /// The number of players that feed it.
    var feeders = 1
    /// The rate and the number of channels of what feeds it.
    var inputRate = 48_000.0
    var inputChannels = 2
    /// Frames that it takes for each that it gives, at the same sample rate.
    var speed = 1.0
    /// By how many frames its sound may lie elsewhere than its `latency` says.
    var latencyTolerance = 0.5
    /// By how many frames it may fall short of its `tailTime`, which says how long it sounds on at the most.
    var tailTolerance = 1.0
    /// Frames that its checks take: a multiple of 1000.
    var length = 12_000
    /// Attaches and connects the node to the main mixer, the feeders to the node, and returns it.
    let build: @Sendable (NodeGraph) -> AVAudioNode
    /// The changes before the frames named, always between two blocks.
    var changes: [Change] = []

    struct Change: Sendable {
        let frame: Int
        let apply: @Sendable (AVAudioNode) -> Void
    }

    var description: String { name }
}

/// The engine in which a case builds its graph.
struct NodeGraph {
    let engine: AVAudioEngine
    /// Attached, connected to nothing.
    let feeders: [AVAudioPlayerNode]
    /// The format of the feeders' output.
    let input: AVAudioFormat
    /// The format of the main mixer and the output.
    let output: AVAudioFormat
}

/// Holds a node to what every node promises.
/// - Returns: What was broken, one sentence each.
func checkNode(_ node: NodeCase) throws -> [String] {
    var check = NodeCheck(node: node)
    try check.blocks()
    try check.reset()
    try check.latency()
    try check.silence()
    try check.allocations()
    return check.broken
}

private struct NodeCheck {
    let node: NodeCase
    var broken: [String] = []

    private static let blocks = [1, 7, 64, 480, 1024, 4096]
    /// The number of frames after which a change of a parameter has ended and nothing of a stop is heard: more than any ramp.
    private static let settled = 4096

    mutating func expect(_ holds: Bool, _ sentence: @autoclosure () -> String) {
        if !holds { broken.append("\(node.name): \(sentence())") }
    }

    /// The samples do not depend on how rendering is cut, and are numbers.
    mutating func blocks() throws {
        let whole = try NodeRun(node).play(noises(0)).render(node.length, block: 512)
        for block in Self.blocks {
            let cut = try NodeRun(node).play(noises(0)).render(node.length, block: block)
            for channel in whole.indices where cut[channel] != whole[channel] {
                let frame = zip(cut[channel], whole[channel]).enumerated().first { $1.0 != $1.1 }?.offset ?? -1
                expect(false, "blocks of \(block) differ from blocks of 512 in channel \(channel), frame \(frame)")
            }
        }
        expect(whole.joined().allSatisfy(\.isFinite), "a sample is no number")
        if node.feeders > 0 { expect(levelDecibels(whole[0]) > -60, "nothing is heard of the input") }
    }

    /// After a stop and a reset of the engine nothing is left of what was played before.
    mutating func reset() throws {
        guard node.feeders > 0 else { return }
        let used = try NodeRun(node, changes: false).play(noises(100))
        _ = try used.render(2 * Self.settled, block: 480)
        used.feeders.forEach { $0.stop() }
        _ = try used.render(Self.settled, block: 480)
        used.engine.reset()
        let again = try used.play(noises(0)).render(node.length, block: 480)
        let fresh = try NodeRun(node, changes: false).play(noises(0)).render(node.length, block: 480)
        expect(again == fresh, "what comes after a reset is not what comes first")
    }

    /// Sound comes when `latency` says.
    mutating func latency() throws {
        guard node.feeders > 0 else { return }
        let run = try NodeRun(node, changes: false)
        let at = node.length / 4
        let frames = Int(Double(node.length) / node.inputRate * run.sampleRate * node.speed) + 48_000
        let click = burst(at: at, width: 96 * max(1, node.speed), frameCount: frames)
        run.play([[Float]](repeating: click, count: node.feeders * node.inputChannels))
        let output = try run.render(node.length + Self.settled, block: 512)
        let expected = centre(click) / node.inputRate * run.sampleRate / node.speed
        let stated = run.subject.latency * run.sampleRate
        let measured = centre(output[0]) - expected
        let distance = String(format: "%.2f frames, measured are %.2f", stated, measured)
        expect(abs(measured - stated) <= node.latencyTolerance, "a latency is stated of \(distance)")
    }

    /// Silence follows silence, when `tailTime` has passed and not much sooner, and for ever.
    mutating func silence() throws {
        guard node.feeders > 0 else { return }
        let run = try NodeRun(node, changes: false)
        let input = noises(0).map { $0[..<4_000] + [Float](repeating: 0, count: node.length * 2) }
        let output = try run.play(input.map(Array.init)).render(node.length, block: 512)
        let end = 4_000 / node.inputRate / node.speed * run.sampleRate
        let stated = run.tailTime * run.sampleRate
        expect(end + stated + 1_000 < Double(node.length), "the tail does not fit into the check")
        let lasts = output.map { Double($0.lastIndex { $0 != 0 } ?? -1) + 1 - end }
        let measured = lasts.max() ?? 0
        let distance = String(format: "%.2f frames, measured are %.2f", stated, measured)
        expect(measured <= stated + 1, "it sounds on for longer than its tail of \(distance)")
        expect(measured >= stated - node.tailTolerance, "it states a tail of \(distance)")
        for (index, channel) in output.enumerated() {
            expect(!channel.contains(where: \.isSubnormal), "a denormal number in channel \(index)")
        }
        let unfed = try NodeRun(node).render(2_000, block: 512)
        expect(unfed.joined().allSatisfy { $0 == 0 }, "sound without any input")
    }

    /// Renders neither allocate nor free, whatever has been changed before.
    mutating func allocations() throws {
        let run = try NodeRun(node)
        run.play(noises(0))
        guard let crank = run.engine.renderCrank() else { return expect(false, "the engine does not run") }
        var frame = 0
        for (index, block) in (Self.blocks + Self.blocks.reversed()).enumerated() {
            for change in node.changes where frame <= change.frame && change.frame < frame + block {
                change.apply(run.subject)
            }
            let count = SyrinxTestSupport.allocations { crank(block) }
            expect(count == 0, "\(count) allocations in render \(index), of \(block) frames")
            frame += block
        }
    }

    /// Noise for each feeder and channel, all different.
    private func noises(_ seed: UInt64) -> [[Float]] {
        let frames = Int(Double(node.length) * node.speed * node.inputRate / 48_000) + 10_000
        return (0..<node.feeders * node.inputChannels).map {
            whiteNoise(frameCount: frames, seed: seed + UInt64($0) + 1)
        }
    }

    // Plain loops: this runs unoptimised, for every case.

    /// A short sound that has a middle: 2 kHz under a bell.
    private func burst(at position: Int, width: Double, frameCount: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: frameCount)
        let reach = Int(width * 6)
        var frame = max(0, position - reach)
        while frame < min(frameCount, position + reach) {
            let distance = Double(frame - position)
            let bell = exp(-distance * distance / (width * width))
            samples[frame] = Float(0.5 * bell * cos(2 * .pi * distance / 24))
            frame += 1
        }
        return samples
    }

    /// The middle of the energy.
    private func centre(_ samples: [Float]) -> Double {
        var energy = 0.0
        var moment = 0.0
        var frame = 0
        while frame < samples.count {
            let power = Double(samples[frame]) * Double(samples[frame])
            energy += power
            moment += power * Double(frame)
            frame += 1
        }
        return energy > 0 ? moment / energy : .infinity
    }
}

/// One graph that runs.
private final class NodeRun {
    let sampleRate = 48_000.0
    let subject: AVAudioNode
    let feeders: [AVAudioPlayerNode]
    private let node: NodeCase
    private let rig: OfflineRig
    private var changes: [NodeCase.Change]
    private var frame = 0

    var engine: AVAudioEngine { rig.engine }

    init(_ node: NodeCase, changes: Bool = true) throws {
        self.node = node
        self.changes = changes ? node.changes.sorted { $0.frame < $1.frame } : []
        rig = try OfflineRig(sampleRate: sampleRate)
        let feeders = (0..<node.feeders).map { _ in AVAudioPlayerNode() }
        feeders.forEach(rig.engine.attach)
        self.feeders = feeders
        let input = AVAudioFormat(
            standardFormatWithSampleRate: node.inputRate,
            channels: AVAudioChannelCount(node.inputChannels)
        )!
        subject = node.build(NodeGraph(engine: rig.engine, feeders: feeders, input: input, output: rig.format))
        try rig.engine.start()
    }

    /// The tail time of the node and the main mixer.
    var tailTime: Double {
        subject.tailTime + (subject === engine.mainMixerNode ? 0 : engine.mainMixerNode.tailTime)
    }

    /// Has the feeders play `channels`, one array for each channel of each feeder.
    @discardableResult
    func play(_ channels: [[Float]]) -> NodeRun {
        for (index, feeder) in feeders.enumerated() {
            let own = Array(channels[index * node.inputChannels..<(index + 1) * node.inputChannels])
            feeder.scheduleBuffer(buffer(own, sampleRate: node.inputRate))
            feeder.play()
        }
        return self
    }

    /// Renders, cut at the changes, which are always between two blocks.
    func render(_ count: Int, block: Int) throws -> [[Float]] {
        var output = [[Float]](repeating: [], count: 2)
        let end = frame + count
        while frame < end {
            while let change = changes.first, change.frame <= frame {
                change.apply(subject)
                changes.removeFirst()
            }
            let piece = min(changes.first?.frame ?? end, end) - frame
            for (channel, samples) in try rig.render(piece, block: block).enumerated() { output[channel] += samples }
            frame += piece
        }
        return output
    }
}
