import CSyrinxALSA
import Glibc

/// A simulated sound card, for tests.
struct ALSASimulation {
    /// The ALSA configuration that defines the PCMs.
    let configuration: String
    /// Whether queued samples can be overwritten.
    let canRewind: Bool
}

/// An open ALSA PCM with negotiated parameters, which is closed in `deinit`.
final class ALSAPCM {
    /// The sample formats in order of preference.
    enum SampleFormat: CaseIterable {
        case float32, signed32, signed16

        var byteCount: Int { self == .signed16 ? 2 : 4 }

        fileprivate var code: snd_pcm_format_t {
            #if _endian(little)
                switch self {
                case .float32: SND_PCM_FORMAT_FLOAT_LE
                case .signed32: SND_PCM_FORMAT_S32_LE
                case .signed16: SND_PCM_FORMAT_S16_LE
                }
            #else
                switch self {
                case .float32: SND_PCM_FORMAT_FLOAT_BE
                case .signed32: SND_PCM_FORMAT_S32_BE
                case .signed16: SND_PCM_FORMAT_S16_BE
                }
            #endif
        }
    }

    let handle: OpaquePointer
    private(set) var format = DeviceFormat(sampleRate: 48_000, channelCount: 2)
    private(set) var sampleFormat = SampleFormat.float32
    private(set) var periodFrameCount = 480
    private(set) var bufferFrameCount = 2880
    /// Whether the hardware can pause.
    private(set) var canPause = false
    /// The number of frames after the play position that the hardware may have read; `nil` if samples cannot be
    /// overwritten.
    private(set) var rewindMargin: Int?

    /// The requested period in microseconds; the device may use another.
    private static let periodTime: UInt32 = 10_000
    private static let bufferTime: UInt32 = 60_000

    /// The playing time that cards read ahead, in seconds, with a margin; PulseAudio uses the same value.
    private static let readAheadSeconds = 0.002

    /// Opens the PCM `pcm` in a format near `preferred`, or in its own format.
    /// - Parameter simulation: The simulated card to open; `nil` opens a real one.
    init(
        pcm: String?,
        preferred: DeviceFormat?,
        device: String,
        simulation: ALSASimulation? = nil
    ) throws(DeviceError) {
        syrinx_alsa_be_silent()
        var opened: OpaquePointer?
        let status = Self.open(&opened, pcm ?? "default", simulation)
        guard status >= 0, let opened else { throw Self.openingError(status, pcm: pcm, device: device) }
        handle = opened
        try settle(preferred, device)
        try prepare(device)
        if !(simulation?.canRewind ?? isHardware) { rewindMargin = nil }
    }

    private static func open(_ opened: inout OpaquePointer?, _ name: String, _ simulation: ALSASimulation?) -> Int32 {
        // Non-blocking, so that opening a busy device fails instead of waiting.
        let mode = SND_PCM_NONBLOCK
        guard let simulation else { return snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, mode) }
        var configuration: OpaquePointer?
        let status = snd_config_load_string(&configuration, simulation.configuration, 0)
        guard status >= 0, let configuration else { return status }
        defer { snd_config_delete(configuration) }
        return snd_pcm_open_lconf(&opened, name, SND_PCM_STREAM_PLAYBACK, mode, configuration)
    }

    /// Whether the samples go directly to a sound card.
    ///
    /// Plugins, for example to a sound server, accept a rewind without any effect.
    private var isHardware: Bool { card != nil }

    /// The number of the sound card; `nil` for a PCM without a card.
    private var card: Int32? {
        var made: OpaquePointer?
        snd_pcm_info_malloc(&made)
        guard let info = made else { return nil }
        defer { snd_pcm_info_free(info) }
        guard snd_pcm_info(handle, info) >= 0 else { return nil }
        let card = snd_pcm_info_get_card(info)
        return card >= 0 ? card : nil
    }

    /// The name of the sound card for display; `nil` for a PCM without a card.
    var cardName: String? {
        var name: UnsafeMutablePointer<CChar>?
        guard let card, snd_card_get_name(card, &name) >= 0, let name else { return nil }
        defer { free(name) }
        return String(cString: name)
    }

    deinit {
        snd_pcm_drop(handle)
        snd_pcm_close(handle)
    }

    /// Returns ALSA's description of a negative result.
    static func reason(_ status: Int32) -> String { snd_strerror(status).map { String(cString: $0) } ?? "\(status)" }

    private static func openingError(_ status: Int32, pcm: String?, device: String) -> DeviceError {
        switch -status {
        case EBUSY: DeviceError(.deviceUnavailable, "another program is using it", device: device)
        case ENOENT where pcm != nil, EINVAL where pcm != nil, ENODEV where pcm != nil:
            DeviceError(.deviceNotFound, "ALSA has no such PCM (\(reason(status)))", device: device)
        default: DeviceError(.deviceUnavailable, "ALSA cannot open it (\(reason(status)))", device: device)
        }
    }

    private func settle(_ preferred: DeviceFormat?, _ device: String) throws(DeviceError) {
        var made: OpaquePointer?
        snd_pcm_hw_params_malloc(&made)
        guard let parameters = made else {
            throw DeviceError(.deviceUnavailable, "ALSA could not be set up", device: device)
        }
        defer { snd_pcm_hw_params_free(parameters) }
        var rate = UInt32(min(max(preferred?.sampleRate ?? 48_000, 1), 10_000_000).rounded())
        var channelCount = UInt32(min(max(preferred?.channelCount ?? 2, 1), 64))
        var periodTime = Self.periodTime
        var bufferTime = Self.bufferTime
        var status = snd_pcm_hw_params_any(handle, parameters)
        // Without a preferred format, disable resampling to get the hardware's rate.
        if status >= 0 { status = snd_pcm_hw_params_set_rate_resample(handle, parameters, preferred == nil ? 0 : 1) }
        if status >= 0 {
            status = snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED)
        }
        if status >= 0 { status = settleSampleFormat(parameters) }
        if status >= 0 { status = snd_pcm_hw_params_set_channels_near(handle, parameters, &channelCount) }
        if status >= 0 { status = snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, nil) }
        if status >= 0 { status = snd_pcm_hw_params_set_period_time_near(handle, parameters, &periodTime, nil) }
        if status >= 0 { status = snd_pcm_hw_params_set_buffer_time_near(handle, parameters, &bufferTime, nil) }
        if status >= 0 { status = snd_pcm_hw_params(handle, parameters) }
        var period: snd_pcm_uframes_t = 0
        var buffer: snd_pcm_uframes_t = 0
        if status >= 0 { status = snd_pcm_hw_params_get_period_size(parameters, &period, nil) }
        if status >= 0 { status = snd_pcm_hw_params_get_buffer_size(parameters, &buffer) }
        guard status >= 0 else {
            throw DeviceError(.unsupportedFormat, "ALSA cannot play on it (\(Self.reason(status)))", device: device)
        }
        format = DeviceFormat(sampleRate: Double(rate), channelCount: Int(channelCount))
        periodFrameCount = max(1, Int(period))
        bufferFrameCount = max(1, Int(buffer))
        canPause = snd_pcm_hw_params_can_pause(parameters) == 1
        // Hardware that reports its position in whole periods may be one period ahead.
        let unknown = snd_pcm_hw_params_is_batch(parameters) == 1 ? periodFrameCount : 0
        rewindMargin = Int(Self.readAheadSeconds * Double(rate)) + unknown
    }

    private func settleSampleFormat(_ parameters: OpaquePointer) -> Int32 {
        var status: Int32 = -EINVAL
        for candidate in SampleFormat.allCases {
            status = snd_pcm_hw_params_set_format(handle, parameters, candidate.code)
            if status >= 0 {
                sampleFormat = candidate
                return status
            }
        }
        return status
    }

    private func prepare(_ device: String) throws(DeviceError) {
        var made: OpaquePointer?
        snd_pcm_sw_params_malloc(&made)
        guard let parameters = made else {
            throw DeviceError(.deviceUnavailable, "ALSA could not be set up", device: device)
        }
        defer { snd_pcm_sw_params_free(parameters) }
        // Playback starts automatically when all but one period of the buffer is filled.
        let threshold = max(1, bufferFrameCount - periodFrameCount)
        var status = snd_pcm_sw_params_current(handle, parameters)
        if status >= 0 {
            status = snd_pcm_sw_params_set_start_threshold(handle, parameters, snd_pcm_uframes_t(threshold))
        }
        if status >= 0 {
            status = snd_pcm_sw_params_set_avail_min(handle, parameters, snd_pcm_uframes_t(periodFrameCount))
        }
        if status >= 0 { status = snd_pcm_sw_params(handle, parameters) }
        guard status >= 0 else {
            throw DeviceError(.deviceUnavailable, "ALSA could not be set up (\(Self.reason(status)))", device: device)
        }
    }

    /// Discards the queued frames of a paused PCM, if there are at most `frameCount`, and calls `change`.
    ///
    /// No other thread may use the PCM meanwhile.
    /// - Returns: Whether the frames were discarded and `change` was called.
    func emptyPaused(atMost frameCount: Int, _ change: () -> Void) -> Bool {
        guard snd_pcm_state(handle) == SND_PCM_STATE_PAUSED else { return false }
        let room = snd_pcm_avail(handle)
        guard room >= 0, bufferFrameCount - room <= frameCount else { return false }
        snd_pcm_drop(handle)
        snd_pcm_prepare(handle)
        change()
        return true
    }

    /// Returns the device channel of each WAVE channel, from the device's channel map or ALSA's usual order.
    func channelOrder() -> [Int] {
        let identity = Array(0..<format.channelCount)
        guard format.channelCount > 2, let speakers = Speaker.order(channelCount: format.channelCount) else {
            return identity
        }
        let theirs = reportedPositions() ?? Self.usualPositions(speakers)
        let order = speakers.compactMap { theirs.firstIndex(of: Self.position($0)) }
        return Set(order).count == format.channelCount ? order : identity
    }

    private func reportedPositions() -> [UInt32]? {
        guard let map = snd_pcm_get_chmap(handle) else { return nil }
        defer { free(map) }
        let count = Int(map.pointee.channels)
        guard count == format.channelCount, let offset = MemoryLayout<snd_pcm_chmap_t>.offset(of: \.channels) else {
            return nil
        }
        // The positions follow the count in a flexible array member, which Swift does not import.
        let first = UnsafeRawPointer(map) + offset + MemoryLayout<UInt32>.stride
        return (0..<count).map { first.load(fromByteOffset: $0 * 4, as: UInt32.self) & 0xffff }
    }

    /// Returns ALSA's usual order, in which the rear speakers precede the center: FL FR RL RR FC LFE SL SR.
    private static func usualPositions(_ speakers: [Speaker]) -> [UInt32] {
        let usual: [Speaker] = [
            .mono, .frontLeft, .frontRight, .rearLeft, .rearRight, .rearCenter, .frontCenter, .lowFrequency, .sideLeft,
            .sideRight,
        ]
        return usual.filter(speakers.contains).map(position)
    }

    private static func position(_ speaker: Speaker) -> UInt32 {
        switch speaker {
        case .mono: SND_CHMAP_MONO.rawValue
        case .frontLeft: SND_CHMAP_FL.rawValue
        case .frontRight: SND_CHMAP_FR.rawValue
        case .frontCenter: SND_CHMAP_FC.rawValue
        case .lowFrequency: SND_CHMAP_LFE.rawValue
        case .rearLeft: SND_CHMAP_RL.rawValue
        case .rearRight: SND_CHMAP_RR.rawValue
        case .rearCenter: SND_CHMAP_RC.rawValue
        case .sideLeft: SND_CHMAP_SL.rawValue
        case .sideRight: SND_CHMAP_SR.rawValue
        }
    }
}
