import ByteStream
import Foundation
import PlayerUI

/// The folder that the file browser shows.
struct FolderBrowser {
    /// The folder.
    private(set) var path: FilePath
    private var paths: [FilePath] = []
    /// The contents for people.
    private(set) var view = FolderView()

    /// Shows a folder, by default the one that the process was started in.
    init(path: FilePath = FilePath(FileManager.default.currentDirectoryPath)) {
        self.path = path
        read()
    }

    /// The file or folder at a place of the list.
    func entry(at index: Int) -> FilePath? { paths.indices.contains(index) ? paths[index] : nil }

    /// Goes to a folder of the list.
    mutating func open(_ index: Int) {
        guard let path = entry(at: index), path.isFolder else { return }
        self.path = path
        read()
    }

    /// Goes to the folder in which this one lies.
    mutating func leave() {
        let parent = path.folder
        guard parent != path else { return }
        path = parent
        read()
    }

    /// Reads the folder anew.
    mutating func read() {
        do throws(Failure) {
            let entries = try FolderListing.entries(in: path)
            paths = entries.map(\.path)
            view = FolderView(
                path: path.name,
                entries: entries.map { entry in
                    FolderView.Entry(name: entry.name, isFolder: entry.isFolder, detail: entry.size.map(Self.sizeText))
                }
            )
        } catch {
            paths = []
            view = FolderView(path: path.name, failure: error.message)
        }
    }

    private static func sizeText(_ size: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(size), 0)
        while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return value >= 10 || unit == 0
            ? "\(Int(value)) \(units[unit])" : "\((value * 10).rounded() / 10) \(units[unit])"
    }
}
