public import AudioDevice
public import Foundation

/// A graph of audio nodes and the device, or the caller, that it renders for.
///
/// Attach nodes, connect them, start. The graph may be changed while it runs: what the change does not touch sounds on.
/// All methods may be called from any thread but the render thread.
open class AVAudioEngine: NSObject, @unchecked Sendable {
    // Unchecked: everything that changes is touched under `lock` only; the renderer meets the render thread in atomics.

    let lock = NSRecursiveLock()
    var graph = Graph()
    let output = AVAudioOutputNode()
    var input: AVAudioInputNode?
    var mixer: AVAudioMixerNode?
    /// What the plan of the moment works with, kept from plan to plan.
    var processors = ProcessorCache()

    var chosenDevice: (any OutputDevice)?
    var device: (any OutputDevice)?
    var openFormat: AVAudioFormat?
    /// What the graph ends in from start to stop, whatever becomes of the device.
    var renderFormat: AVAudioFormat?
    /// Held while a device is opened, which an attempt to recover does without `lock`; taken after `lock` if with it.
    let deviceLock = NSLock()
    var outputState = OutputState()
    var idleWatch = IdleWatch()
    var preferredFormat: DeviceFormat?

    var renderer: EngineRenderer?
    /// Frames of content that the last renderer gave.
    var lastRunContent: Int64 = 0
    var plans = PlanSwap()
    var service: EngineService?
    var phase = Phase.stopped
    /// When a paused engine was first seen to have faded, in monotonic nanoseconds.
    var pausedSince: UInt64?
    var manual: ManualRendering?
    var manualRun: ManualRun?
    let bridge = ManualBridge()
    var capture: Capture?
    var chosenInput: (any InputDevice)?
    var openInput: (device: any InputDevice, format: AVAudioFormat)?
    /// Held while the input device is opened or started; `lock` is taken with it, and it never with `lock`.
    let inputLock = NSLock()
    var isRecoveringInput = false
    /// What a render may still be reading: kept until the engine stops.
    var retiredCaptures: [Capture] = []
    var renderObserver: (@Sendable () -> Void)?
    var lossObserver: (@Sendable (DeviceError) -> Void)?

    /// What a graph renders in one go at the most.
    static let maximumFrameCount = 4096
    /// Where completions are called.
    static let callbackQueue = DispatchQueue(label: "syrinx.engine.callbacks")

    enum Phase {
        case stopped
        case running
        /// The gate is shut; the device still runs, or rests.
        case paused(deviceRests: Bool)
    }

    /// An engine with an empty graph, stopped, on the system's own output.
    public override init() {
        super.init()
        attachUnlocked(output)
    }

    deinit { stop() }

    // MARK: Graph

    /// The node that the graph ends in.
    public var outputNode: AVAudioOutputNode { output }

    /// The node that gives what the input device hears, made and attached when first asked for.
    public var inputNode: AVAudioInputNode {
        lock.withLock {
            if let input { return input }
            let new = AVAudioInputNode()
            input = new
            attachUnlocked(new)
            return new
        }
    }

    /// The mixer in front of the output, made and connected when first asked for.
    public var mainMixerNode: AVAudioMixerNode {
        lock.withLock {
            if let mixer { return mixer }
            let new = AVAudioMixerNode()
            mixer = new
            attachUnlocked(new)
            connectUnlocked(new, to: [AVAudioConnectionPoint(node: output, bus: 0)], fromBus: 0, format: nil)
            return new
        }
    }

    /// The nodes of the engine.
    public var attachedNodes: Set<AVAudioNode> { lock.withLock { Set(graph.nodes.values) } }

    /// Makes `node` part of this engine.
    ///
    /// It may not be part of another.
    open func attach(_ node: AVAudioNode) {
        lock.withLock {
            require(
                node.engine == nil || node.engine === self,
                "\(type(of: node)) is attached to another engine: detach it there first."
            )
            attachUnlocked(node)
        }
    }

    private func attachUnlocked(_ node: AVAudioNode) {
        graph.attach(node)
        node.engine = self
    }

    /// Takes `node` out of the graph, with its connections.
    open func detach(_ node: AVAudioNode) {
        changeGraph {
            guard graph.contains(node) else { return }
            require(node !== output, "The output node is part of every engine.")
            graph.detach(node)
            node.engine = nil
        }
    }

    // MARK: Device

    /// Where the engine plays: set it while the engine is stopped.
    ///
    /// `nil`, the default, is the system's own output.
    ///
    /// An addition to Apple's interface, which has one device only.
    public var outputDevice: (any OutputDevice)? {
        get { lock.withLock { chosenDevice } }
        set {
            lock.withLock {
                require(renderer == nil, "Stop the engine before giving it another device.")
                chosenDevice = newValue
                device = nil
                openFormat = nil
            }
        }
    }

    /// The format to ask the device for: set it while the engine is stopped.
    ///
    /// `nil`, the default, is the device's own.
    ///
    /// An addition to Apple's interface.
    public var preferredOutputFormat: DeviceFormat? {
        get { lock.withLock { preferredFormat } }
        set {
            lock.withLock {
                guard newValue != preferredFormat else { return }
                preferredFormat = newValue
                openFormat = nil
            }
        }
    }

    // MARK: Offline changes

    /// Has nodes take up what was asked of them where no render runs that could do it.
    func settleIfIdle() {
        lock.withLock {
            switch phase {
            case .running where !idleWatch.isResting: return
            case .paused(deviceRests: false): return
            case .stopped, .running, .paused(deviceRests: true): break
            }
            for player in graph.players.values {
                player.kernel.settleUnheard()
                player.service()
            }
        }
    }
}
