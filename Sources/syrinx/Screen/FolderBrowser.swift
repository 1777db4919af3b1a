import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening
import SyrinxPlayerUI

/// The folder that the file browser shows, read on a thread of its own.
///
/// The names are shown once they are in order, and the sizes of files as they come. Any thread may ask for the view.
final class FolderBrowser: Sendable {
    private struct State {
        var path: FilePath
        var paths: [FilePath] = []
        var view = FolderView()
        /// The number of the last reading; what another one finds is not wanted.
        var number = 0
        /// The folder that was left for this one.
        var origin: FilePath?
    }

    /// Seconds between two reports of sizes.
    private static let reportInterval = 0.2

    private let state: Mutex<State>
    private let didChange: @Sendable () -> Void

    /// Shows a folder, by default the one that the process was started in, and calls `didChange` when the view is
    /// another.
    init(
        path: FilePath = FilePath(FileManager.default.currentDirectoryPath),
        didChange: @escaping @Sendable () -> Void
    ) {
        state = Mutex(State(path: path))
        self.didChange = didChange
        read(path)
    }

    /// The folder.
    var path: FilePath { state.withLock { $0.path } }
    /// The contents for people.
    var view: FolderView { state.withLock { $0.view } }

    /// The file or folder at a place of the list.
    func entry(at index: Int) -> FilePath? {
        state.withLock { $0.paths.indices.contains(index) ? $0.paths[index] : nil }
    }

    /// Goes to a folder of the list.
    func open(_ index: Int) {
        let path = state.withLock { state in
            state.paths.indices.contains(index) && state.view.entries[index].isFolder ? state.paths[index] : nil
        }
        if let path { read(path) }
    }

    /// Goes to the parent folder.
    func leave() {
        let path = path
        if path.folder != path { read(path.folder, from: path) }
    }

    private func read(_ path: FilePath, from origin: FilePath? = nil) {
        let number = state.withLock { state in
            state.number += 1
            state.path = path
            state.origin = origin
            state.paths = []
            state.view = FolderView(path: path.name, isReading: true)
            return state.number
        }
        do throws(Failure) {
            try SystemThread.start("syrinx.folder") { [weak self] in
                Self.read(path) { self?.take($0, $1, of: number) ?? false }
            }
        } catch {
            _ = take(FolderView(path: path.name, failure: error.message), [], of: number)
        }
    }

    /// Shows the entries of a folder that was read.
    /// - Returns: Whether more is wanted.
    private func take(_ view: FolderView, _ paths: [FilePath], of number: Int) -> Bool {
        let isWanted = state.withLock { state in
            guard state.number == number else { return false }
            let origin = state.view.origin ?? state.origin.flatMap { origin in paths.firstIndex { $0 == origin } }
            state.view = view
            state.view.origin = origin
            state.paths = paths
            return true
        }
        if isWanted { didChange() }
        return isWanted
    }

    private static func read(_ path: FilePath, _ deliver: (FolderView, [FilePath]) -> Bool) {
        var view = FolderView(path: path.name)
        let paths: [FilePath]
        do throws(SyrinxError) {
            let entries = try FolderListing.entries(in: path)
            paths = entries.map(\.path)
            view.entries = entries.map { FolderView.Entry(name: $0.name, isFolder: $0.isFolder) }
        } catch {
            view.failure = Failure(error, input: path.name).message
            _ = deliver(view, [])
            return
        }
        view.isReading = true
        var reportedAt = Date()
        for index in paths.indices where !view.entries[index].isFolder {
            if index > 0, -reportedAt.timeIntervalSinceNow >= reportInterval {
                guard deliver(view, paths) else { return }
                reportedAt = Date()
            }
            view.entries[index].detail = paths[index].status.map { sizeText(Int64($0.st_size)) }
        }
        view.isReading = false
        _ = deliver(view, paths)
    }

    private static func sizeText(_ size: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(size), 0)
        while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return value >= 10 || unit == 0
            ? "\(Int(value)) \(units[unit])" : "\((value * 10).rounded() / 10) \(units[unit])"
    }
}
