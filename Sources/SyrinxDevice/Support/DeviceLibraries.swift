import CSyrinxALSA
import CSyrinxPulse

/// The libraries of sound servers and sound cards in this process.
package enum DeviceLibraries {
    /// The names and versions; `nil` for a library that is loaded when it is needed and is missing.
    package static var versions: [(name: String, version: String?)] {
        [
            ("libpulse", text(pa_get_library_version())), ("libasound", text(snd_asoundlib_version())),
        ]
    }

    private static func text(_ version: UnsafePointer<CChar>?) -> String? { version.map { String(cString: $0) } }
}
