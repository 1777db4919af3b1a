import CSyrinxALSA
import CSyrinxPulse

/// The loaded libraries for sound servers and sound cards.
package enum DeviceLibraries {
    /// The names and versions; the version is `nil` if a library that is loaded on demand is missing.
    package static var versions: [(name: String, version: String?)] {
        [
            ("libpulse", text(pa_get_library_version())), ("libasound", text(snd_asoundlib_version())),
        ]
    }

    private static func text(_ version: UnsafePointer<CChar>?) -> String? { version.map { String(cString: $0) } }
}
