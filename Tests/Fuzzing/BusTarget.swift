import CSyrinxGIO

@testable import MediaPlayer

/// Values that other programs send over D-Bus: the first byte chooses the type, and the rest is the value in GLib's own form.
enum BusTarget {
    private static let types = [
        "s", "o", "i", "x", "d", "b", "as", "a{sv}", "v", "(sv)", "(ox)", "(x)", "(s)", "(d)", "(ssv)", "(sa{sv}as)",
        "av",
        "(u)", "()",
    ]
    private static let names = [
        "Raise", "Play", "Seek", "SetPosition", "OpenUri", "Rate", "Volume", "Shuffle", "LoopStatus", "Bogus",
    ]

    static func run(_ choice: UInt8, _ bytes: [UInt8]) {
        let type = g_variant_type_new(types[Int(choice) % types.count])
        defer { g_variant_type_free(type) }
        let memory = g_bytes_new(bytes, gsize(bytes.count))
        defer { g_bytes_unref(memory) }
        guard let variant = g_variant_ref_sink(g_variant_new_from_bytes(type, memory, 0)) else { return }
        defer { g_variant_unref(variant) }
        for name in names {
            if let value = BusValue(variant) { _ = try? DesktopRequest.command(setting: name, to: value) }
            if let values = BusValue.tuple(variant) {
                _ = try? DesktopRequest.command(calling: name, with: values, on: DesktopPlayerState.Track(id: 1))
            }
        }
        guard let value = BusValue(variant), let copy = g_variant_ref_sink(value.variant()) else { return }
        defer { g_variant_unref(copy) }
        // Not a number is not equal to itself.
        let again = BusValue(copy)
        precondition(again == value || again != again, "a value that is not what was sent")
    }
}
