import Foundation
import SyrinxByteStream

/// Finds the default sound bank, for programs that specify none.
package enum SoundBankSearch {
    /// The folders in which systems keep sound banks.
    package static let folders = ["/usr/share/sounds/sf2", "/usr/share/sounds/sf3", "/usr/local/share/sounds/sf2"]
    /// The names that systems give to the bank of their choice, the best first.
    private static let preferred = [
        "default-GM.sf2", "default-GM.sf3", "FluidR3_GM.sf2", "MuseScore_General.sf3", "TimGM6mb.sf2",
    ]

    /// Returns a sound bank of one of the folders: a well-known file name, or else the alphabetically first file.
    /// - Throws: `AVMIDIError` with `.soundBankMissing`.
    package static func find(in folders: [String] = folders) throws(AVMIDIError) -> URL {
        let manager = FileManager.default
        let files = folders.flatMap { folder in
            ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).sorted()
                .filter { ["sf2", "sf3"].contains(($0 as NSString).pathExtension.lowercased()) }
                .map { (name: $0, url: FilePath(folder + "/" + $0).url) }
        }
        for name in preferred {
            if let file = files.first(where: { $0.name == name }) { return file.url }
        }
        guard let file = files.first else {
            throw AVMIDIError(
                .soundBankMissing,
                "No sound bank is installed in \(folders.joined(separator: ", ")): name one, "
                    + "or install one, on Debian and Ubuntu by 'apt install timgm6mb-soundfont'."
            )
        }
        return file.url
    }
}
