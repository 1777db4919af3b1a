import AVFAudio
import CSyrinxCommit
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxPodcastLibrary

/// The answer to `--version --verbose`: the program's version and commit, and the versions of the libraries that it uses.
enum VersionReport {
    /// The first line of the report, and the whole answer to `--version`.
    static let version = "syrinx \(SyrinxVersion.text)"

    /// A line for each part: its name, a space and its version.
    ///
    /// Libraries that are loaded when they are needed are loaded for it.
    static var text: String {
        let libraries: [(name: String, version: String?)] =
            MediaLibraries.versions.map { ($0.name, $0.version) } + [("libcurl", TransportLibrary.version)]
            + DeviceLibraries.versions
            + [("SQLite", DatabaseEngine.version), ("libmysofa", MeasuredHead.libraryVersion)]
        let lines = libraries.map { "\($0.name) \($0.version ?? "not installed")" }
        return ([version, "commit \(String(cString: csyrinx_commit()))"] + lines).joined(separator: "\n")
    }
}
