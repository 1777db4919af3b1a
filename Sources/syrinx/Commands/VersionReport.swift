import AVFAudio
import CSyrinxCommit
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxPodcastLibrary

/// The output of `--version --verbose`: the version, the commit, and the versions of the libraries.
enum VersionReport {
    /// The output of `--version`, which is also the first line of the report.
    static let version = "syrinx \(SyrinxVersion.text)"

    /// The report: one line per component, with its name, a space and its version.
    ///
    /// Libraries that are loaded on demand are loaded to determine their versions.
    static var text: String {
        let libraries: [(name: String, version: String?)] =
            MediaLibraries.versions.map { ($0.name, $0.version) } + [("libcurl", TransportLibrary.version)]
            + DeviceLibraries.versions
            + [("SQLite", DatabaseEngine.version), ("libmysofa", MeasuredHead.libraryVersion)]
        let lines = libraries.map { "\($0.name) \($0.version ?? "not installed")" }
        return ([version, "commit \(String(cString: csyrinx_commit()))"] + lines).joined(separator: "\n")
    }
}
