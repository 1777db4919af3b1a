import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The dialog that asks for an address, or for the user name and password for a server.
///
/// It checks the address, shows the error if it cannot be opened, and closes if it can.
@MainActor
final class AddressDialog {
    private let app: DesktopApp
    private let widgets = AddressDialogWidgets()
    private let probe = AddressProbe()
    private var attempt: AddressAttempt?
    /// The input that needs a user name and password, if it was opened without this dialog.
    private let refused: ListeningInput?
    private let onOpen: (ListeningInput) -> Void

    /// Shows the dialog.
    /// - Parameters:
    ///   - app: The program, which has the names and passwords.
    ///   - parent: The window in front of which it is shown.
    ///   - refused: The input that needs a user name and password; `nil` asks for an address.
    ///   - onOpen: Called with the input that can be opened.
    ///   - didClose: Called when it is closed.
    init(
        _ app: DesktopApp,
        parent: Window,
        refused: ListeningInput? = nil,
        onOpen: @escaping (ListeningInput) -> Void,
        didClose: @escaping @MainActor () -> Void
    ) {
        (self.app, self.refused, self.onOpen) = (app, refused, onOpen)
        let dialog = widgets.dialog
        dialog.setParent(parent)
        dialog.on("close-request") { [weak self] _ in
            self?.probe.cancel()
            didClose()
        }
        dialog.onKey { [weak self] key, _, _ in
            if key == "Escape" { self?.widgets.dialog.close() }
            return key == "Escape"
        }
        widgets.cancel.on("clicked") { [weak self] _ in self?.widgets.dialog.close() }
        widgets.open.on("clicked") { [weak self] _ in self?.open() }
        if let refused {
            widgets.heading.set("label", .string("Name and Password"))
            widgets.body.set("label", .string(refused.name))
            widgets.address.isVisible = false
            askForLogin(of: refused)
        }
        dialog.present()
        (refused == nil ? widgets.address : widgets.user).grabFocus()
    }

    /// Checks an address as if the user had typed it.
    func open(_ address: String) {
        widgets.address.set("text", .string(address))
        open()
    }

    private func open() {
        if let refused {
            keepLogin(of: refused)
            finish(refused)
            return
        }
        attempt = AddressAttempt(typed: widgets.address.string("text"))
        guard let attempt else { return show("This is not an address.") }
        keepLogin(of: attempt.input)
        guard attempt.input.isWeb else { return finish(attempt.input) }
        tryOut(attempt.input)
    }

    private func tryOut(_ input: ListeningInput) {
        show("")
        setBusy(true)
        probe.begin(input, as: app.logins.added(to: input.streamingInput)) { [weak self] in self?.take($0, of: input) }
    }

    private func take(_ error: SyrinxError?, of input: ListeningInput) {
        guard let error else { return finish(input) }
        setBusy(false)
        switch attempt?.failed(PageState.Failure(code: error.code.rawValue, message: error.message)) {
        case .again(let other): tryOut(other)
        case .askPassword: askForLogin(of: input)
        case .fail(let failure): show(failure.message)
        case nil: break
        }
    }

    private func askForLogin(of input: ListeningInput) {
        widgets.login.isVisible = true
        show(
            app.logins.knows(input.url)
                ? "The server does not accept this name and password." : "The server asks for a name and a password."
        )
        widgets.user.grabFocus()
    }

    private func keepLogin(of input: ListeningInput) {
        guard widgets.login.isVisible else { return }
        app.logins.keep(widgets.user.string("text"), widgets.password.string("text"), of: input.url)
    }

    private func finish(_ input: ListeningInput) {
        widgets.dialog.close()
        onOpen(input)
    }

    private func show(_ message: String) {
        widgets.message.set("label", .string(message))
        widgets.message.isVisible = !message.isEmpty
    }

    private func setBusy(_ isBusy: Bool) { widgets.spinner.isVisible = isBusy }
}

/// The widgets of the dialog.
@MainActor
private struct AddressDialogWidgets {
    let dialog: Window
    let heading: Widget
    let body: Widget
    let address: Widget
    let login: Widget
    let user: Widget
    let password: Widget
    let message: Widget
    let spinner: Widget
    let cancel: Widget
    let open: Widget

    init() {
        let description = Builder(Self.description)
        (dialog, heading, body) = (description.get("dialog"), description.get("heading"), description.get("body"))
        (address, login, user) = (description.get("address"), description.get("login"), description.get("user"))
        (password, message) = (description.get("password"), description.get("message"))
        (spinner, cancel, open) = (description.get("spinner"), description.get("cancel"), description.get("open"))
    }

    private static let description = """
        <interface><object class="AdwWindow" id="dialog">
        <property name="title">Open Address</property><property name="default-width">420</property>
        <property name="default-widget">open</property>
        <property name="content"><object class="GtkBox">
        <property name="orientation">vertical</property><property name="spacing">12</property>
        <property name="margin-top">24</property><property name="margin-bottom">24</property>
        <property name="margin-start">24</property><property name="margin-end">24</property>
        <child><object class="GtkLabel" id="heading">
        <property name="label">Open Address</property>
        <style><class name="title-2"/></style>
            </object></child>
            <child><object class="GtkLabel" id="body">
            <property name="label">A recording, a playlist or a radio station.</property>
            <property name="wrap">True</property><property name="wrap-mode">word-char</property>
            <property name="justify">center</property>
            </object></child>
            <child><object class="GtkEntry" id="address">
            <property name="input-purpose">url</property><property name="placeholder-text">https://</property>
            <property name="activates-default">True</property>
            <accessibility><property name="label">Address</property></accessibility>
            </object></child>
            <child><object class="GtkBox" id="login">
            <property name="orientation">vertical</property><property name="spacing">6</property>
            <property name="visible">False</property>
            <child><object class="GtkEntry" id="user">
            <property name="placeholder-text">Name</property><property name="activates-default">True</property>
            <accessibility><property name="label">Name</property></accessibility>
              </object></child>
              <child><object class="GtkPasswordEntry" id="password">
              <property name="placeholder-text">Password</property>
              <property name="activates-default">True</property><property name="show-peek-icon">True</property>
              <accessibility><property name="label">Password</property></accessibility>
              </object></child>
            </object></child>
            <child><object class="GtkLabel" id="message">
            <property name="wrap">True</property><property name="wrap-mode">word-char</property>
            <property name="xalign">0</property><property name="visible">False</property>
            <style><class name="error"/></style>
            </object></child>
            <child><object class="GtkBox">
            <property name="spacing">12</property><property name="halign">end</property>
            <property name="margin-top">6</property>
            <child><object class="GtkSpinner" id="spinner">
            <property name="spinning">True</property><property name="visible">False</property>
              </object></child>
              <child><object class="GtkButton" id="cancel">
              <property name="label">_Cancel</property><property name="use-underline">True</property>
              </object></child>
              <child><object class="GtkButton" id="open">
              <property name="label">_Open</property><property name="use-underline">True</property>
              <style><class name="suggested-action"/></style>
              </object></child>
            </object></child>
          </object></property>
        </object></interface>
        """
}
