public import Foundation
import Synchronization

/// The audio settings of the whole program, such as permission to record and muting of its input.
///
/// Callable from any thread.
open class AVAudioApplication: NSObject, @unchecked Sendable {
    // Unchecked: mutable state is atomic or guarded by a lock.

    /// Whether a program may record.
    public enum recordPermission: Int, Sendable {
        /// The user was not asked yet.
        case undetermined = 0x756E_6474
        /// The user denied recording.
        case denied = 0x6465_6E79
        /// Recording is allowed.
        case granted = 0x6772_6E74
    }

    /// The shared object of the program.
    public class var shared: AVAudioApplication { instance }

    private static let instance = AVAudioApplication()
    private let isMuted = Atomic<Bool>(false)
    private let muteHandler = Mutex<(@Sendable (Bool) -> Bool)?>(nil)

    /// Posted when the input is muted or no longer; the user info has `muteStateKey`.
    public static let inputMuteStateChangeNotification = NSNotification.Name(
        "AVAudioApplicationInputMuteStateChangeNotification"
    )
    /// The key of a `Bool`.
    public static let muteStateKey = "AVAudioApplicationMuteStateKey"

    /// Always granted on Linux.
    ///
    /// A sound server may still refuse when the device is opened.
    open var recordPermission: recordPermission { .granted }

    /// Calls `response` with `true`, on a private queue.
    public class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
        AVAudioEngine.callbackQueue.async { response(true) }
    }

    /// Always returns `true`.
    @discardableResult
    public class func requestRecordPermission() async -> Bool { true }

    /// Whether the program has marked its input as muted.
    open var isInputMuted: Bool { isMuted.load(ordering: .relaxed) }

    /// Marks the input as muted or not.
    ///
    /// The handler decides first. The samples are not changed: the program has to mute them itself.
    /// - Throws: `CocoaError` with `.userCancelled` if the handler refuses.
    open func setInputMuted(_ muted: Bool) throws {
        if let handler = muteHandler.withLock({ $0 }), !handler(muted) { throw CocoaError(.userCancelled) }
        guard isMuted.exchange(muted, ordering: .relaxed) != muted else { return }
        DispatchQueue.main.deliver {
            NotificationCenter.default.post(
                name: Self.inputMuteStateChangeNotification,
                object: self,
                userInfo: [Self.muteStateKey: muted]
            )
        }
    }

    /// Sets the handler that mutes and unmutes the input of the program.
    ///
    /// `setInputMuted(_:)` calls it with the new state, on the thread of its caller. If the handler returns `false`, that
    /// method throws and the state does not change. Setting the handler never throws on Linux.
    open func setInputMuteStateChangeHandler(_ inputMuteHandler: (@Sendable (Bool) -> Bool)?) throws {
        muteHandler.withLock { $0 = inputMuteHandler }
    }
}
