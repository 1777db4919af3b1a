import CSyrinxALSA
import Glibc

/// Lists the ALSA devices.
enum ALSAListing {
    /// Whether there is a sound card.
    static var hasCard: Bool {
        syrinx_alsa_be_silent()
        var card: Int32 = -1
        return snd_card_next(&card) >= 0 && card >= 0
    }

    /// Returns the PCMs to offer to a user: `default`, and each output of each card with format conversion.
    ///
    /// Rates are unknown, because opening a PCM could block other programs from using the card.
    /// - Parameter hasDefault: Whether `OutputDevices.automatic` selects `default`.
    static func descriptions(hasDefault: Bool) -> [OutputDeviceDescription] {
        guard hasCard else { return [] }
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var found: [OutputDeviceDescription] = []
        var next = hints
        while let hint = next.pointee {
            next += 1
            guard let name = text(hint, "NAME"), name == "default" || name.hasPrefix("plughw:"),
                text(hint, "IOID") != "Input"
            else { continue }
            let lines = (text(hint, "DESC") ?? name).split(separator: "\n")
            let description = OutputDeviceDescription(
                kind: .alsa,
                id: "alsa:\(name)",
                description: lines.joined(separator: ", "),
                sampleRate: nil,
                channelCount: nil,
                isDefault: hasDefault && name == "default"
            )
            found.append(description)
        }
        return found
    }

    private static func text(_ hint: UnsafeRawPointer, _ key: String) -> String? {
        guard let value = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(value) }
        return String(cString: value)
    }
}
