import Synchronization

/// The commands of control to a player's kernel.
///
/// Written by control, under the lock of the node; read by the render thread.
struct PlayerCommands: ~Copyable {
    let isPlaying = Atomic<Bool>(false)
    /// The number of pauses, so that none is missed that `play()` followed at once.
    let pauses = Atomic<Int>(0)
    /// The node's frame to start at; `anyFrame` for none.
    let startFrame = Atomic<Int64>(PlayerCommands.anyFrame)
    /// The host time to start at; 0 for none.
    let startHostTime = Atomic<UInt64>(0)
    /// Items of a lower index are dropped.
    let dropBefore = Atomic<Int>(0)
    /// The number of requests to restart the player's time.
    let timeResets = Atomic<Int>(0)
    /// The index of the last item that takes the place of others.
    let lastInterrupter = Atomic<Int>(0)

    static let anyFrame = Int64.min
}
