public import Foundation
import Synchronization
import SyrinxDevice

/// The sound devices that the program uses.
///
/// It reports the sound server's output and input devices, and posts notifications when they change. On Linux the
/// sound server decides how programs share a device. Categories, modes, options and preferred values are therefore
/// stored without any effect, and activation is not required. Callable from any thread.
///
/// ```swift
/// let session = AVAudioSession.sharedInstance()
/// try session.setCategory(.playback)
/// for port in session.currentRoute.outputs { print(port.portName, session.outputLatency) }
/// let token = NotificationCenter.default.addObserver(
///     forName: AVAudioSession.routeChangeNotification, object: nil, queue: nil
/// ) { _ in print("the route has changed") }
/// ```
open class AVAudioSession: NSObject, @unchecked Sendable {
    // Unchecked: all mutable state is in `state`.
    private static let shared = AVAudioSession(server: nil)

    private struct State {
        var category = Category.soloAmbient
        var mode = Mode.default
        var policy = RouteSharingPolicy.default
        var options: CategoryOptions = []
        var isActive = false
        var preferredSampleRate = 0.0
        var preferredDuration = 0.0
        var preferredInputChannels = 0
        var preferredOutputChannels = 0
        var preferredInput: AVAudioSessionPortDescription?
        var allowsHaptics = false
        var override = PortOverride.none
    }

    private let state = Mutex(State())
    private let monitor: RouteMonitor

    /// Returns the session of the program.
    public class func sharedInstance() -> AVAudioSession { shared }

    /// - Parameter server: As `PULSE_SERVER` is written; `nil` is the user's own.
    package init(server: String?) {
        monitor = RouteMonitor(server: server)
        super.init()
        monitor.handler = { [weak self] former, route in self?.routeHasChanged(former, route) }
    }

    // MARK: Category

    /// The category that was set last; `.soloAmbient` by default.
    open var category: Category { state.withLock { $0.category } }
    /// The mode that was set last; `.default` by default.
    open var mode: Mode { state.withLock { $0.mode } }
    /// The options that were set last; none by default.
    open var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// The policy that was set last; `.default` by default.
    open var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }

    /// All categories.
    open var availableCategories: [Category] {
        [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
    }

    /// All modes.
    open var availableModes: [Mode] {
        [
            .default, .voiceChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .videoChat, .spokenAudio,
            .voicePrompt,
        ]
    }

    /// Stores a category, without any effect.
    ///
    /// Never throws on Linux.
    open func setCategory(_ category: Category) throws { set(category, mode, routeSharingPolicy, []) }

    /// Stores a category and its options, without any effect.
    ///
    /// Never throws on Linux.
    open func setCategory(_ category: Category, options: CategoryOptions) throws {
        set(category, mode, routeSharingPolicy, options)
    }

    /// Stores a category, a mode and options, without any effect.
    ///
    /// Never throws on Linux.
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        set(category, mode, routeSharingPolicy, options)
    }

    /// Stores a category, a mode, a policy and options, without any effect.
    ///
    /// Never throws on Linux.
    open func setCategory(
        _ category: Category,
        mode: Mode,
        policy: RouteSharingPolicy,
        options: CategoryOptions = []
    ) throws {
        set(category, mode, policy, options)
    }

    private func set(_ category: Category, _ mode: Mode, _ policy: RouteSharingPolicy, _ options: CategoryOptions) {
        let isNew = state.withLock { state in
            defer { (state.category, state.mode, state.policy, state.options) = (category, mode, policy, options) }
            return state.category != category && state.isActive
        }
        if isNew { postRouteChange(.categoryChange, from: monitor.route) }
    }

    /// Stores a mode, without any effect.
    ///
    /// Never throws on Linux.
    open func setMode(_ mode: Mode) throws { state.withLock { $0.mode = mode } }

    /// Does nothing: a program may use sound without activation.
    ///
    /// Never throws on Linux.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        state.withLock { $0.isActive = active }
    }

    // MARK: Route

    /// The current input and output ports: the sound server's defaults.
    ///
    /// The first access waits for the server, at most two seconds.
    open var currentRoute: AVAudioSessionRouteDescription { AVAudioSessionRouteDescription(monitor.route) }

    /// The ports that can be recorded from; `nil` if there are none.
    open var availableInputs: [AVAudioSessionPortDescription]? {
        let inputs = monitor.route.inputs
        return inputs.isEmpty ? nil : inputs.map { AVAudioSessionPortDescription(input: $0) }
    }

    /// The input that was set last; `nil` by default.
    open var preferredInput: AVAudioSessionPortDescription? { state.withLock { $0.preferredInput } }

    /// Stores an input, without any effect.
    ///
    /// To record from it, set `AVAudioEngine.inputDevice` or `AVAudioRecorder.inputDevice`. Never throws on Linux.
    open func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        state.withLock { $0.preferredInput = inPort }
    }

    /// The microphones or sockets of the current input; `nil` if there is no choice.
    open var inputDataSources: [AVAudioSessionDataSourceDescription]? { currentRoute.inputs.first?.dataSources }

    /// The selected microphone or socket of the current input; `nil` if there is no choice.
    open var inputDataSource: AVAudioSessionDataSourceDescription? { currentRoute.inputs.first?.selectedDataSource }

    /// Selects the microphone or socket of an input for all programs, as the desktop's settings do.
    ///
    /// `nil` changes nothing.
    /// - Throws: `DeviceError` with `device.unavailable` if the input is gone, or no longer has that socket.
    open func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        guard let dataSource else { return }
        try monitor.selectDataSource(dataSource.serverName, of: dataSource.portUID)
    }

    /// Whether haptics and system sounds may play while the program records, as it was set last; `false` by default.
    open var allowHapticsAndSystemSoundsDuringRecording: Bool { state.withLock { $0.allowsHaptics } }

    /// Stores whether haptics and system sounds may play while the program records, without any effect.
    ///
    /// Never throws on Linux.
    open func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        state.withLock { $0.allowsHaptics = inValue }
    }

    /// Does nothing: the sound server selects the port.
    ///
    /// Never throws on Linux.
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        state.withLock { $0.override = portOverride }
    }

    /// Whether there is an input.
    open var isInputAvailable: Bool { monitor.route.input != nil }

    // MARK: Device

    /// The sample rate of the output in Hz, or of the input if there is no output; 0 if there is neither.
    open var sampleRate: Double { (monitor.route.output ?? monitor.route.input)?.sampleRate ?? 0 }
    /// The sample rate in Hz that was set last; 0 by default.
    open var preferredSampleRate: Double { state.withLock { $0.preferredSampleRate } }
    /// Stores a preferred sample rate in Hz, without any effect.
    ///
    /// To request a format from a device, set `AVAudioEngine.preferredOutputFormat`. Never throws on Linux.
    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        state.withLock { $0.preferredSampleRate = sampleRate }
    }

    /// The buffer duration in seconds that an engine requests from a sound server: the default of `PulseOutput`.
    open var ioBufferDuration: TimeInterval { 0.1 }
    /// The duration in seconds that was set last; 0 by default.
    open var preferredIOBufferDuration: TimeInterval { state.withLock { $0.preferredDuration } }
    /// Stores a buffer duration in seconds, without any effect.
    ///
    /// Never throws on Linux.
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        state.withLock { $0.preferredDuration = duration }
    }

    /// The number of channels of the output; 0 without one.
    open var outputNumberOfChannels: Int { monitor.route.output?.channelCount ?? 0 }
    /// The number of channels of the output; 0 without one.
    open var maximumOutputNumberOfChannels: Int { outputNumberOfChannels }
    /// The number that was set last; 0 by default.
    open var preferredOutputNumberOfChannels: Int { state.withLock { $0.preferredOutputChannels } }
    /// Stores a number of channels, without any effect.
    ///
    /// Never throws on Linux.
    open func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        state.withLock { $0.preferredOutputChannels = count }
    }

    /// The number of channels of the input; 0 without one.
    open var inputNumberOfChannels: Int { monitor.route.input?.channelCount ?? 0 }
    /// The number of channels of the input; 0 without one.
    open var maximumInputNumberOfChannels: Int { inputNumberOfChannels }
    /// The number that was set last; 0 by default.
    open var preferredInputNumberOfChannels: Int { state.withLock { $0.preferredInputChannels } }
    /// Stores a number of channels, without any effect.
    ///
    /// Never throws on Linux.
    open func setPreferredInputNumberOfChannels(_ count: Int) throws {
        state.withLock { $0.preferredInputChannels = count }
    }

    /// The latency of the sound server and the output device in seconds, as last reported by the server; 0 without an
    /// output.
    ///
    /// For the measured value of a running engine use `AVAudioNode.outputPresentationLatency`.
    open var outputLatency: TimeInterval { monitor.route.output?.latency ?? 0 }
    /// The latency of the input device and the sound server in seconds, as last reported by the server; 0 without an
    /// input.
    open var inputLatency: TimeInterval { monitor.route.input?.latency ?? 0 }
    /// The output's volume, as its slider shows it, from 0 to 1; 0 if it is muted.
    open var outputVolume: Float { Float(min(max(monitor.route.output?.volume ?? 0, 0), 1)) }
    /// The input's volume, as its slider shows it, from 0 to 1; 0 if it is muted.
    open var inputGain: Float { Float(min(max(monitor.route.input?.volume ?? 0, 0), 1)) }
    /// Always false.
    open var isInputGainSettable: Bool { false }
    /// Always false: a sound server mixes all programs.
    open var isOtherAudioPlaying: Bool { false }
    /// Always false: a sound server mixes all programs.
    open var secondaryAudioShouldBeSilencedHint: Bool { false }

    // MARK: Permission

    /// Always granted on Linux.
    ///
    /// A sound server may still refuse when the device is opened.
    open var recordPermission: RecordPermission { .granted }

    /// Calls `response` with `true`, on a background queue.
    open func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
        AVAudioEngine.callbackQueue.async { response(true) }
    }

    // MARK: Changes

    private func routeHasChanged(_ former: AudioRoute, _ route: AudioRoute) {
        for change in RouteChange.changes(from: former, to: route) {
            switch change {
            case .route(let reason): postRouteChange(reason, from: former)
            case .interruption(let type):
                var info: [AnyHashable: Any] = [AVAudioSessionInterruptionTypeKey: type.rawValue]
                if type == .ended {
                    info[AVAudioSessionInterruptionOptionKey] = InterruptionOptions.shouldResume.rawValue
                }
                post(Self.interruptionNotification, info)
            }
        }
    }

    private func postRouteChange(_ reason: RouteChangeReason, from former: AudioRoute) {
        post(
            Self.routeChangeNotification,
            [
                AVAudioSessionRouteChangeReasonKey: reason.rawValue,
                AVAudioSessionRouteChangePreviousRouteKey: AVAudioSessionRouteDescription(former),
            ]
        )
    }

    private func post(_ name: NSNotification.Name, _ info: [AnyHashable: Any]) {
        // Sent to the main queue as Apple's do, by way of a box: dictionaries of `Any` do not cross threads by
        // themselves.
        let notification = NotificationBox(Notification(name: name, object: self, userInfo: info))
        DispatchQueue.main.deliver { NotificationCenter.default.post(notification.value) }
    }
}

/// A notification on its way to the main queue.
private struct NotificationBox: @unchecked Sendable {
    // Unchecked: it is created, passed on, and not accessed again by its creator.
    let value: Notification

    init(_ value: Notification) { self.value = value }
}
