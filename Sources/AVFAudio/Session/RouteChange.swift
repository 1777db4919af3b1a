import SyrinxDevice

/// A notification of a session after a change of the sound server's route.
enum RouteChange: Equatable {
    case route(AVAudioSession.RouteChangeReason)
    case interruption(AVAudioSession.InterruptionType)

    /// Returns the notifications for a change, in order.
    ///
    /// A missing output is an interruption. A change of the volume is not a route change.
    static func changes(from former: AudioRoute, to route: AudioRoute) -> [RouteChange] {
        guard !route.hasSamePorts(as: former) else { return [] }
        let change = RouteChange.route(reason(from: former, to: route))
        switch (former.output, route.output) {
        case (.some, nil): return [change, .interruption(.began)]
        case (nil, .some): return [change, .interruption(.ended)]
        default: return [change]
        }
    }

    private static func reason(from former: AudioRoute, to route: AudioRoute) -> AVAudioSession.RouteChangeReason {
        if former.output?.id != route.output?.id { return reason(former.output, route.outputs) }
        if former.input?.id != route.input?.id { return reason(former.input, route.inputs) }
        // The same devices by other ports: a plug was pulled, or put in.
        return .routeConfigurationChange
    }

    /// - Parameters:
    ///   - former: The port that was used.
    ///   - ports: The ports that there are now.
    private static func reason(_ former: AudioPort?, _ ports: [AudioPort]) -> AVAudioSession.RouteChangeReason {
        guard let former, !ports.contains(where: { $0.id == former.id }) else { return .newDeviceAvailable }
        return .oldDeviceUnavailable
    }
}
