import Foundation
import GTK

/// The program: its application, its window and its actions.
@MainActor
final class DesktopApp {
    /// The identifier, which is also the name of the desktop file and of the icon.
    static let id = "io.github.syrinx.Syrinx"
    private let application: Application
    private let output: String?
    private var window: PlayerWindow?

    /// Makes the program.
    /// - Parameter environment: `SYRINX_OUTPUT` names the sound output, as the command's `--output` does.
    init(environment: [String: String]) {
        application = Application.make(id: Self.id)
        output = environment["SYRINX_OUTPUT"]
        application.on("startup") { [weak self] _ in self?.start() }
        application.on("activate") { [weak self] _ in self?.show().present() }
        application.onOpen { [weak self] urls in
            guard let self else { return }
            let window = self.show()
            window.present()
            window.open(urls.compactMap { URL(string: $0) })
        }
    }

    /// Runs the program to its end.
    func run(_ arguments: [String]) -> Int32 {
        let status = application.run(arguments)
        window?.finish()
        LibraryWorker.drain()
        return status
    }

    private func start() {
        Style.add(WindowDescription.style + PodcastDescription.style)
        for folder in Self.dataFolders { Style.addIcons(folder + "/icons") }
        application.addAction("quit", keys: ["<Primary>q"]) { [weak self] in
            guard let self else { return }
            if let window = self.window { window.close() } else { self.application.quit() }
        }
        application.addAction("raise") { [weak self] in self?.window?.present() }
        application.addAction("about") { [weak self] in self?.window?.showAbout() }
        for (action, keys) in PlayerWindow.keys + PodcastPage.keys { application.setKeys(action, keys) }
    }

    /// The folders with the app's data: installed beside the program, or in its sources.
    private static var dataFolders: [String] {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        var folders = [program.appendingPathComponent("../share").standardized.path]
        if let folder = ProcessInfo.processInfo.environment["SYRINX_DATA"] { folders.insert(folder, at: 0) }
        return folders
    }

    private func show() -> PlayerWindow {
        if let window { return window }
        let new = PlayerWindow(application, output: output) { [weak self] in self?.window = nil }
        window = new
        return new
    }
}
