public import Foundation
import Synchronization

/// The direction of a bus.
public enum AUAudioUnitBusType: Int, Sendable {
    /// The bus is an input of the unit.
    case input = 1
    /// The bus is an output of the unit.
    case output = 2
}

/// An input or an output of a unit.
///
/// Callable from any thread except the render thread.
open class AUAudioUnitBus: NSObject, @unchecked Sendable {
    // Unchecked: the lock guards all mutable state.
    private struct State {
        var format: AVAudioFormat
        var name: String?
        var isEnabled = true
        var supportedChannelCounts: [NSNumber]?
        var maximumChannelCount: UInt32 = 64
        weak var owner: AUAudioUnit?
        var index = 0
        var type = AUAudioUnitBusType.output
    }

    private let state: Mutex<State>

    /// Creates a bus with a format.
    ///
    /// Never throws.
    public init(format: AVAudioFormat) throws {
        state = Mutex(State(format: format))
        super.init()
    }

    /// The format of the bus, which a host sets before it allocates render resources.
    open var format: AVAudioFormat { state.withLock { $0.format } }

    /// Sets the format.
    ///
    /// The engine sets the format of the connection: 32-bit float with one buffer per channel.
    /// - Throws: `AVAudioEngineError` with `.formatMismatch` if the unit does not support the number of channels.
    open func setFormat(_ format: AVAudioFormat) throws {
        try state.withLock { state in
            let counts = state.supportedChannelCounts?.map(\.intValue) ?? []
            let channels = Int(format.channelCount)
            guard counts.isEmpty || counts.contains(channels), channels <= Int(state.maximumChannelCount) else {
                throw AVAudioEngineError(.formatMismatch, "The unit does not support \(channels) channels.")
            }
            state.format = format
        }
    }

    /// The display name of the bus.
    open var name: String? {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    /// Whether the bus is in use.
    open var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    /// The supported channel counts; `nil` means any.
    open var supportedChannelCounts: [NSNumber]? {
        get { state.withLock { $0.supportedChannelCounts } }
        set { state.withLock { $0.supportedChannelCounts = newValue } }
    }

    /// The maximum channel count.
    open var maximumChannelCount: UInt32 {
        get { state.withLock { $0.maximumChannelCount } }
        set { state.withLock { $0.maximumChannelCount = newValue } }
    }

    /// The unit of the bus.
    open var ownerAudioUnit: AUAudioUnit? { state.withLock { $0.owner } }
    /// The index of the bus in its array.
    open var index: Int { state.withLock { $0.index } }
    /// The direction.
    open var busType: AUAudioUnitBusType { state.withLock { $0.type } }

    /// Creates a bus whose format is defined by its node.
    convenience init(ownedBy owner: AUAudioUnit?, _ type: AUAudioUnitBusType, _ index: Int) {
        self.init(showing: EngineOutput.fallbackFormat)
        belong(to: owner, type, index)
    }

    private init(showing format: AVAudioFormat) {
        state = Mutex(State(format: format))
        super.init()
    }

    /// Updates the format after a change of the node's format.
    func show(_ format: AVAudioFormat) { state.withLock { $0.format = format } }

    func belong(to owner: AUAudioUnit?, _ type: AUAudioUnitBusType, _ index: Int) {
        state.withLock { ($0.owner, $0.type, $0.index) = (owner, type, index) }
    }
}

/// The inputs or the outputs of a unit.
///
/// Callable from any thread except the render thread.
open class AUAudioUnitBusArray: NSObject, @unchecked Sendable {
    // Unchecked: the lock guards all mutable state.
    private let busses: Mutex<[AUAudioUnitBus]>

    /// The direction of the busses.
    public let busType: AUAudioUnitBusType
    /// The unit of the busses.
    public private(set) weak var ownerAudioUnit: AUAudioUnit?

    /// Creates an array of busses.
    public init(audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType, busses: [AUAudioUnitBus]) {
        self.busType = busType
        self.busses = Mutex([])
        ownerAudioUnit = owner
        super.init()
        replaceBusses(busses)
    }

    /// Creates an empty array.
    public convenience init(audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType) {
        self.init(audioUnit: owner, busType: busType, busses: [])
    }

    /// The number of busses.
    open var count: Int { busses.withLock { $0.count } }
    /// Whether `setBusCount` works: `true` only for the inputs of mixers.
    ///
    /// Other units replace their bus arrays themselves.
    open var isCountChangeable: Bool { false }

    /// Sets the number of busses.
    ///
    /// A mixer always has at least one unconnected input, so you need not call this before you connect nodes.
    /// - Throws: `AVAudioEngineError` with `usage.formatMismatch` if `isCountChangeable` is `false`, or if the number
    ///   is smaller than the number of connected busses.
    open func setBusCount(_ count: Int) throws {
        throw AVAudioEngineError(.formatMismatch, "The number of busses of the unit cannot be changed.")
    }

    /// The bus at an index, which must be in range.
    open subscript(index: Int) -> AUAudioUnitBus { busses.withLock { $0[index] } }

    /// Replaces the busses.
    open func replaceBusses(_ newBusses: [AUAudioUnitBus]) {
        for (index, bus) in newBusses.enumerated() { bus.belong(to: ownerAudioUnit, busType, index) }
        busses.withLock { $0 = newBusses }
    }
}
