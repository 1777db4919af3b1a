import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The dialogs for files, folders, addresses and logins, and opening from the clipboard.
@MainActor
final class OpenDialogs {
    private unowned let app: DesktopApp
    private let window: Window
    private let control: PlayerControl
    private let opener: InputOpener
    /// The dialog that asks for an address or a password, while it is open.
    private var addressDialog: AddressDialog?
    private static let recordings = [
        "audio/*", "video/*", "application/ogg", "application/xspf+xml", "application/vnd.apple.mpegurl",
    ]

    /// Creates the dialogs of a window.
    init(_ app: DesktopApp, _ window: Window, _ control: PlayerControl, _ opener: InputOpener) {
        (self.app, self.window, self.control, self.opener) = (app, window, control, opener)
    }

    /// Asks for files, or for a folder.
    func chooseFiles(folders: Bool = false) {
        window.chooseFiles(
            folders ? "Open Folder" : "Open Recordings",
            folders: folders,
            filters: folders ? [] : [("Recordings and Playlists", Self.recordings), ("All Files", ["*/*"])]
        ) { [weak self] urls in self?.opener.open(urls.compactMap(ListeningInput.init(location:))) }
    }

    /// Opens the addresses or paths in the clipboard.
    func paste() {
        window.readClipboard { [weak self] text in
            guard let self else { return }
            let list = DropList(text: text ?? "")
            // A host without a scheme, as in browsers.
            if list.entries.isEmpty, let text, AddressAttempt(typed: text) != nil {
                self.askForAddress(text)
            } else if list.entries.isEmpty, list.refusals.isEmpty {
                self.control.tell(.warning("The clipboard holds no address."))
            } else {
                self.opener.open(list, on: .player)
            }
        }
    }

    /// Asks for an address.
    /// - Parameter address: An address to check immediately; `nil` lets the user type one.
    func askForAddress(_ address: String? = nil) {
        guard addressDialog == nil else { return }
        show(nil) { [weak self] in self?.opener.open([$0]) }
        if let address { addressDialog?.open(address) }
    }

    /// Asks for the user name and password for a server, and tries again.
    func askForLogin(of input: ListeningInput) {
        guard addressDialog == nil else { return }
        show(input) { [weak self] _ in self?.control.carryOut(.reload) }
    }

    private func show(_ refused: ListeningInput?, onOpen: @escaping @MainActor (ListeningInput) -> Void) {
        addressDialog = AddressDialog(app, parent: window, refused: refused, onOpen: onOpen) { [weak self] in
            self?.addressDialog = nil
        }
    }
}
