import SyrinxDesktopModel
import SyrinxGTK
import SyrinxHTTPStream
import SyrinxListening
import SyrinxPodcastLibrary

/// The window that searches for podcasts in the directory of the settings.
///
/// Words are sent when the listener presses Enter.
@MainActor
final class DirectoryWindow {
    private let window: Window
    private let list: PlaceListWidgets
    private let entry: Widget
    private let status: Widget
    private let directory: PodcastDirectory
    private let onSubscribe: (String) -> Void
    private let didClose: () -> Void
    private var rows: [Widget] = []
    private var found: [PodcastDirectory.Entry] = []
    private var search: Task<Void, Never>?

    /// Shows the window.
    /// - Parameters:
    ///   - directory: The directory.
    ///   - parent: The window in front of which it is shown.
    ///   - onSubscribe: Gets the URL of a feed that the listener chooses.
    ///   - didClose: Called when the window has been closed.
    init(
        _ directory: PodcastDirectory,
        parent: Window,
        onSubscribe: @escaping (String) -> Void,
        didClose: @escaping () -> Void
    ) {
        (self.directory, self.onSubscribe, self.didClose) = (directory, onSubscribe, didClose)
        let description = Builder(Self.description)
        window = description.get("window")
        (entry, status) = (description.get("entry"), description.get("status"))
        list = PlaceListWidgets(description, "found")
        list.list.onActivate { [weak self] in self?.subscribe($0) }
        entry.on("activate") { [weak self] _ in self?.begin() }
        window.on("close-request") { [weak self] _ in self?.closed() }
        window.setParent(parent)
        show("Words go to \(directory.url).")
        window.present()
        entry.grabFocus()
    }

    private func begin() {
        let words = entry.string("text")
        search?.cancel()
        show([])
        show("Searching…")
        search = Task { [weak self, directory] in
            do throws(PodcastError) {
                let found = try await directory.search(words, network: HTTPByteStream.Options())
                guard !Task.isCancelled else { return }
                self?.show(found)
                self?.show(found.isEmpty ? "Nothing was found." : "")
            } catch {
                guard !Task.isCancelled else { return }
                self?.show(PodcastText.failure(PageState.Failure(error), "The directory could not be searched"))
            }
        }
    }

    private func show(_ text: String) {
        status.set("label", .string(text))
        status.isVisible = !text.isEmpty
    }

    private func show(_ found: [PodcastDirectory.Entry]) {
        self.found = found
        let former = rows
        rows = found.map { entry in
            let author = entry.author ?? ""
            return PlaceRow(entry.title, author, spoken: "Subscribe to \(entry.title) \(author)").row
        }
        list.replace(former, with: rows)
    }

    private func subscribe(_ index: Int) {
        guard found.indices.contains(index) else { return }
        window.close()
        onSubscribe(found[index].url)
    }

    private func closed() {
        search?.cancel()
        didClose()
    }

    private static let description = """
        <interface><object class="AdwWindow" id="window">
          <property name="title">Find Podcasts</property><property name="modal">True</property>
          <property name="default-width">520</property><property name="default-height">520</property>
          <property name="content"><object class="GtkBox">
            <property name="orientation">vertical</property>
            <child><object class="AdwHeaderBar"/></child>
            <child><object class="GtkSearchEntry" id="entry">
              <property name="margin-start">12</property><property name="margin-end">12</property>
              <property name="margin-top">6</property><property name="placeholder-text">Words, then Enter</property>
              <accessibility><property name="label">Words to Search</property></accessibility>
            </object></child>
            <child><object class="GtkLabel" id="status">
              <property name="wrap">True</property><property name="margin-start">12</property>
              <property name="margin-end">12</property><property name="margin-top">12</property>
              <property name="xalign">0</property><style><class name="dim-label"/></style>
            </object></child>
            <child><object class="GtkScrolledWindow">
              <property name="vexpand">True</property><property name="hscrollbar-policy">never</property>
              <property name="child"><object class="GtkBox">
                <property name="orientation">vertical</property>
                \(PlaceListWidgets.description("A Click Subscribes", id: "found"))
              </object></property>
            </object></child>
          </object></property>
        </object></interface>
        """
}
