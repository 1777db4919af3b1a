public import Foundation

/// The nested types of a session, with Apple's raw values.
extension AVAudioSession {
    /// The purpose of a program's sound.
    public struct Category: Hashable, Sendable, RawRepresentable {
        /// The name that Apple's systems use.
        public let rawValue: String

        /// Creates a category from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Background sound, which mixes with other programs.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Background sound, which silences other programs on Apple's systems; the default.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Playback, as the purpose of the program.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Recording without playback.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Recording and playback.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Several ports at once.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// The use of audio within a category.
    public struct Mode: Hashable, Sendable, RawRepresentable {
        /// The name that Apple's systems use.
        public let rawValue: String

        /// Creates a mode from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No particular use.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// A voice call.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// Voice chat in a game.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// The recording of a film.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Measurement, with as little processing as possible.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// The playback of a film.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// A video call.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Speech: podcasts, audiobooks.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Synthesized speech.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
    }

    /// Options of a category: other programs, and ports.
    ///
    /// The session stores them without any effect on Linux.
    public struct CategoryOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The sound mixes with that of other programs.
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        /// Other programs become quieter.
        public static let duckOthers = CategoryOptions(rawValue: 2)
        /// Hands-free Bluetooth devices may be used.
        public static let allowBluetooth = CategoryOptions(rawValue: 4)
        /// Hands-free Bluetooth devices may be used.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 4)
        /// The speaker is used rather than the receiver.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        /// Spoken audio of other programs pauses; other sound mixes.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
        /// Bluetooth devices for music may be used.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
        /// AirPlay devices may be used.
        public static let allowAirPlay = CategoryOptions(rawValue: 64)
        /// A muted microphone does not interrupt.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 128)
    }

    /// Options of activation and deactivation.
    public struct SetActiveOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Notifies other programs that they may resume.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// The policy that decides which programs share a route.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// All.
        case `default` = 0
        /// Players of music and podcasts.
        case longFormAudio = 1
        /// Chosen by a route picker.
        case independent = 2
        /// Players of films.
        case longFormVideo = 3
    }

    /// A kind of port.
    public struct Port: Hashable, Sendable, RawRepresentable {
        /// The name that Apple's systems use.
        public let rawValue: String

        /// Creates a kind of port from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A line input.
        public static let lineIn = Port(rawValue: "LineIn")
        /// A microphone of the machine.
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        /// The microphone of a headset.
        public static let headsetMic = Port(rawValue: "MicrophoneWired")
        /// A line output.
        public static let lineOut = Port(rawValue: "LineOut")
        /// Headphones, and headsets.
        public static let headphones = Port(rawValue: "Headphones")
        /// A Bluetooth device for music.
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
        /// The receiver of a telephone.
        public static let builtInReceiver = Port(rawValue: "Receiver")
        /// The speaker of the machine.
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        /// HDMI, and DisplayPort.
        public static let HDMI = Port(rawValue: "HDMIOutput")
        /// A device on the network.
        public static let airPlay = Port(rawValue: "AirPlay")
        /// A low-energy Bluetooth device.
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")
        /// A hands-free Bluetooth device.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        /// A device on USB.
        public static let usbAudio = Port(rawValue: "USBAudio")
        /// A car.
        public static let carAudio = Port(rawValue: "CarAudio")
        /// Another kind of port.
        public static let virtual = Port(rawValue: "Virtual")
    }

    /// The port that replaces the port of the route.
    public enum PortOverride: UInt, Sendable {
        /// The route's own.
        case none = 0
        /// The speaker.
        case speaker = 0x7370_6B72
    }

    /// Whether a program may record.
    public enum RecordPermission: UInt, Sendable {
        /// The user was not asked yet.
        case undetermined = 0x756E_6474
        /// The user denied recording.
        case denied = 0x6465_6E79
        /// Recording is allowed.
        case granted = 0x6772_6E74
    }

    /// Whether an interruption begins or ends.
    public enum InterruptionType: UInt, Sendable {
        /// The interruption has ended.
        case ended = 0
        /// The interruption has begun: the program is silent.
        case began = 1
    }

    /// Options of the end of an interruption.
    public struct InterruptionOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The program should resume playback.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    /// The reason for a change of the route.
    public enum RouteChangeReason: UInt, Sendable {
        /// Another.
        case unknown = 0
        /// A device became available.
        case newDeviceAvailable = 1
        /// The device that was used has gone.
        case oldDeviceUnavailable = 2
        /// The category has changed.
        case categoryChange = 3
        /// The user, or the program, has chosen another.
        ///
        /// Never reported on Linux.
        case override = 4
        /// The machine woke.
        ///
        /// Never reported on Linux.
        case wakeFromSleep = 6
        /// The category has no route.
        ///
        /// Never reported on Linux.
        case noSuitableRouteForCategory = 7
        /// The same ports are used in another way.
        case routeConfigurationChange = 8
    }

    /// Whether background sound should be silent.
    public enum SilenceSecondaryAudioHintType: UInt, Sendable {
        /// No longer.
        case end = 0
        /// From now on.
        case begin = 1
    }

    /// Posted when the output becomes unavailable or available again; see `AVAudioSessionInterruptionTypeKey`.
    public static let interruptionNotification = NSNotification.Name("AVAudioSessionInterruptionNotification")
    /// Posted when the input or output port changes.
    ///
    /// The user info contains the reason (`AVAudioSessionRouteChangeReasonKey`) and the previous route
    /// (`AVAudioSessionRouteChangePreviousRouteKey`).
    public static let routeChangeNotification = NSNotification.Name("AVAudioSessionRouteChangeNotification")
    /// Never posted on Linux: the loss of a sound server is an interruption.
    public static let mediaServicesWereLostNotification = NSNotification.Name(
        "AVAudioSessionMediaServicesWereLostNotification"
    )
    /// Never posted on Linux: engines and players continue by themselves when a sound server returns.
    public static let mediaServicesWereResetNotification = NSNotification.Name(
        "AVAudioSessionMediaServicesWereResetNotification"
    )
    /// Never posted on Linux.
    public static let silenceSecondaryAudioHintNotification = NSNotification.Name(
        "AVAudioSessionSilenceSecondaryAudioHintNotification"
    )
}

/// The key of an `AVAudioSession.InterruptionType`, as a `UInt`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The key of an `AVAudioSession.InterruptionOptions`, as a `UInt`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The key of an `AVAudioSession.RouteChangeReason`, as a `UInt`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The key of the former `AVAudioSessionRouteDescription`.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// The key of an `AVAudioSession.SilenceSecondaryAudioHintType`, as a `UInt`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"
