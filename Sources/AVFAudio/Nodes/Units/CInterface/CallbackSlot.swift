import CoreAudioTypes
import Foundation
import Glibc
import Synchronization

/// The callbacks that the program has set on a unit.
struct UnitCallbacks: @unchecked Sendable {
    // Unchecked: functions and pointers of the caller's, and blocks, that the render thread alone calls.

    /// The source of the samples for an input of an output unit.
    enum Provider {
        case callback(AURenderCallbackStruct)
        case block(AURenderPullInputBlock)
    }

    /// The callbacks of inputs, by their elements.
    var inputs: [Int: Provider] = [:]
    /// Called when an input device has recorded frames.
    var inputCallback: AURenderCallbackStruct?
    /// Called when an input device has recorded frames, in addition to `inputCallback`.
    var inputHandler: AUInputHandler?
    /// Called before and after each render.
    var notifications: [AURenderCallbackStruct] = []
}

/// Callbacks as the render thread finds them: constant memory.
final class CallbackTable: @unchecked Sendable {
    // Unchecked: immutable after `init`.

    /// A box around a block, which can be called without a change of the block's reference count.
    final class Box<Block>: @unchecked Sendable {
        // Unchecked: a constant.
        let block: Block
        init(_ block: Block) { self.block = block }
    }

    /// The number of elements that have an entry in `inputs` and in `blocks`.
    let inputCount: Int
    let inputs: UnsafeMutablePointer<AURenderCallbackStruct>
    private let blocks: UnsafeMutablePointer<Unmanaged<Box<AURenderPullInputBlock>>?>
    let inputCallback: AURenderCallbackStruct
    private let inputHandler: Unmanaged<Box<AUInputHandler>>?
    let notificationCount: Int
    let notifications: UnsafeMutablePointer<AURenderCallbackStruct>
    /// The pointer for callbacks that were set without one, because their parameter is not optional.
    let placeholder = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)

    init(_ callbacks: UnitCallbacks) {
        // Bounded: elements are checked against the number of busses.
        inputCount = (callbacks.inputs.keys.max() ?? -1) + 1
        inputs = .allocate(capacity: max(inputCount, 1))
        inputs.initialize(repeating: AURenderCallbackStruct(), count: inputCount)
        blocks = .allocate(capacity: max(inputCount, 1))
        blocks.initialize(repeating: nil, count: inputCount)
        for (element, provider) in callbacks.inputs {
            switch provider {
            case .callback(let callback): inputs[element] = callback
            case .block(let block): blocks[element] = Unmanaged.passRetained(Box(block))
            }
        }
        inputCallback = callbacks.inputCallback ?? AURenderCallbackStruct()
        inputHandler = callbacks.inputHandler.map { Unmanaged.passRetained(Box($0)) }
        notificationCount = callbacks.notifications.count
        notifications = .allocate(capacity: max(notificationCount, 1))
        for (index, one) in callbacks.notifications.enumerated() { (notifications + index).initialize(to: one) }
    }

    deinit {
        for element in 0..<inputCount { blocks[element]?.release() }
        inputHandler?.release()
        inputs.deallocate()
        blocks.deallocate()
        notifications.deallocate()
        placeholder.deallocate()
    }

    // MARK: Render

    /// Calls the callback of an element, which fills `data` or replaces its buffer pointers.
    func pull(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
        _ time: UnsafePointer<AudioTimeStamp>,
        _ frameCount: UInt32,
        _ element: Int,
        _ data: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        guard element >= 0, element < inputCount else { return kAudioUnitErr_NoConnection }
        if let box = blocks[element] {
            return box._withUnsafeGuaranteedRef { $0.block(flags, time, frameCount, element, data) }
        }
        return call(inputs[element], flags, time, UInt32(truncatingIfNeeded: element), frameCount, data)
    }

    /// Notifies the program that an input has recorded frames, which `AudioUnitRender` supplies during the call.
    func announceInput(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
        _ time: UnsafePointer<AudioTimeStamp>,
        _ frameCount: UInt32,
        _ element: Int
    ) {
        inputHandler?._withUnsafeGuaranteedRef { $0.block(flags, time, frameCount, element) }
        guard inputCallback.inputProc != nil else { return }
        _ = call(inputCallback, flags, time, UInt32(truncatingIfNeeded: element), frameCount, nil)
    }

    /// Calls the notifications of a render, before or after it.
    func notify(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
        _ moment: UInt32,
        _ time: UnsafePointer<AudioTimeStamp>,
        _ frameCount: UInt32,
        _ element: UInt32,
        _ data: UnsafeMutablePointer<AudioBufferList>
    ) {
        guard notificationCount > 0 else { return }
        let before = flags.pointee.rawValue
        flags.pointee = AudioUnitRenderActionFlags(rawValue: before | moment)
        var index = 0
        while index < notificationCount {
            _ = call(notifications[index], flags, time, element, frameCount, data)
            index &+= 1
        }
        flags.pointee = AudioUnitRenderActionFlags(rawValue: flags.pointee.rawValue & ~moment)
    }

    private func call(
        _ callback: AURenderCallbackStruct,
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
        _ time: UnsafePointer<AudioTimeStamp>,
        _ element: UInt32,
        _ frameCount: UInt32,
        _ data: UnsafeMutablePointer<AudioBufferList>?
    ) -> OSStatus {
        guard let function = callback.inputProc else { return kAudioUnitErr_NoConnection }
        return function(callback.inputProcRefCon ?? placeholder, flags, time, element, frameCount, data)
    }
}

/// The callbacks of a unit: set by any thread, called by render threads, which do not wait.
final class CallbackSlot: @unchecked Sendable {
    // Unchecked: an atomic publishes the table, which is freed when no thread reads it.

    /// The callbacks that are set, and tables that a render may still be in.
    private struct State: Sendable {
        var callbacks = UnitCallbacks()
        var retired: [CallbackTable] = []
    }

    private let state = Mutex(State())
    private let table: Atomic<UnsafeMutableRawPointer?>
    /// The error of the last render, until it is read.
    let lastError = Atomic<OSStatus>(0)
    private let readerCount = Atomic<Int>(0)
    /// The handle of a thread that renders.
    private let reader = Atomic<UInt>(0)

    init() {
        let empty = Unmanaged.passRetained(CallbackTable(UnitCallbacks()))
        table = Atomic(empty.toOpaque())
    }

    deinit {
        if let raw = table.load(ordering: .acquiring) { Unmanaged<CallbackTable>.fromOpaque(raw).release() }
    }

    /// The callbacks that are set.
    var callbacks: UnitCallbacks { state.withLock { $0.callbacks } }

    /// Changes the callbacks.
    ///
    /// After the call returns, removed callbacks are not running and are not called again. If the call comes from a
    /// callback, this is true after the current render.
    func change(_ body: (inout UnitCallbacks) -> Void) {
        state.withLock { state in
            body(&state.callbacks)
            let new = Unmanaged.passRetained(CallbackTable(state.callbacks))
            guard let old = table.exchange(new.toOpaque(), ordering: .sequentiallyConsistent) else { return }
            state.retired.append(Unmanaged<CallbackTable>.fromOpaque(old).takeRetainedValue())
            // A callback that waits for a lock of the caller's would otherwise wait for ever.
            let deadline = monotonicNanoseconds() + 2_000_000_000
            while readerCount.load(ordering: .sequentiallyConsistent) > 0 {
                let isOwnThread = reader.load(ordering: .relaxed) == UInt(pthread_self())
                if isOwnThread || monotonicNanoseconds() > deadline { return }
                usleep(100)
            }
            state.retired = []
        }
    }

    // MARK: Render

    /// Returns the callbacks, which stay valid until `leave()`.
    @_noLocks @_noAllocation
    func enter() -> Unmanaged<CallbackTable>? {
        readerCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
        guard let raw = table.load(ordering: .sequentiallyConsistent) else { return nil }
        return Unmanaged<CallbackTable>.fromOpaque(raw)
    }

    /// Records the calling thread as the rendering thread.
    func noteThread() { reader.store(UInt(pthread_self()), ordering: .relaxed) }

    /// Ends the use of the callbacks.
    @_noLocks @_noAllocation
    func leave() {
        if readerCount.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0 {
            reader.store(0, ordering: .relaxed)
        }
    }
}
