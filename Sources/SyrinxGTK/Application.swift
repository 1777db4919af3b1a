import CSyrinxGTK

/// The application, of which one process runs per user session; later starts pass their files to the first process.
@MainActor
package final class Application: Object {
    private var application: UnsafeMutablePointer<GtkApplication> { pointer() }

    /// Creates the application.
    /// - Parameter id: The application identifier, which is also the name of the desktop file.
    package static func make(id: String) -> Application {
        guard let instance = adw_application_new(id, G_APPLICATION_HANDLES_OPEN) else {
            fatalError("libadwaita made no application")
        }
        return Application(owned: UnsafeMutableRawPointer(instance))
    }

    /// Runs the main loop until the last window is closed.
    ///
    /// The arguments of the process are passed unchanged, because file names need not be UTF-8.
    /// - Returns: The exit status.
    package func run() -> Int32 { g_application_run(pointer(), CommandLine.argc, CommandLine.unsafeArgv) }

    /// Calls `handler` with the URLs to open when the program is started with files.
    package func onOpen(_ handler: @escaping @MainActor ([String]) -> Void) {
        on("open") { arguments in
            guard let files = arguments.pointer(0)?.assumingMemoryBound(to: OpaquePointer?.self) else { return }
            handler((0..<max(0, arguments.int(1))).compactMap { files[$0].flatMap(Widget.uri) })
        }
    }

    /// Quits the main loop.
    package func quit() { g_application_quit(pointer()) }

    /// Adds an action `app.<name>`.
    @discardableResult
    package func addAction(_ name: String, _ handler: @escaping @MainActor () -> Void) -> Object {
        let action = Self.action(name, handler)
        g_action_map_add_action(opaque, action.opaque)
        return action
    }

    /// Adds an action `app.<name>` with an integer parameter, such as `app.<name>(3)`.
    package func addNumberedAction(_ name: String, _ handler: @escaping @MainActor (Int) -> Void) {
        guard let raw = g_simple_action_new(name, syrinx_int32_variant()) else { fatalError("GIO made no action") }
        let action = Object(owned: UnsafeMutableRawPointer(raw))
        action.on("activate") { arguments in arguments.variantInt(0).map(handler) }
        withExtendedLifetime(action) { g_action_map_add_action(opaque, action.opaque) }
    }

    /// Adds a command-line option, such as `--new-window`, that activates an action before files are opened.
    ///
    /// If the program is already running, the action is activated in that process.
    /// - Parameters:
    ///   - name: The name of the option and of the action.
    ///   - description: The description in the output of `--help`.
    package func addOption(_ name: String, _ description: String) {
        g_application_add_main_option(pointer(), name, 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, description, nil)
        connect("handle-local-options") { [weak self] arguments in
            guard let self, let options = arguments.boxed(0),
                g_variant_dict_contains(options.assumingMemoryBound(to: GVariantDict.self), name) != 0,
                g_application_register(self.pointer(), nil, nil) != 0
            else { return false }
            g_action_group_activate_action(self.opaque, name, nil)
            // Continue, so that files are opened.
            return false
        }
    }

    /// Sets the keyboard shortcuts of an action, given by its full name.
    package func setKeys(_ action: String, _ keys: [String]) {
        guard !keys.isEmpty else { return }
        var pointers: [UnsafePointer<CChar>?] = keys.map { UnsafePointer(strdup($0)) } + [nil]
        defer { pointers.forEach { g_free(UnsafeMutableRawPointer(mutating: $0)) } }
        gtk_application_set_accels_for_action(application, action, &pointers)
    }

    /// Creates an action without a state.
    package static func action(_ name: String, _ handler: @escaping @MainActor () -> Void) -> Object {
        guard let raw = g_simple_action_new(name, nil) else { fatalError("GIO made no action") }
        let action = Object(owned: UnsafeMutableRawPointer(raw))
        action.on("activate") { _ in handler() }
        return action
    }

    /// Creates an action that is on or off, which menus display as a check mark.
    package static func toggle(_ name: String, isOn: Bool, _ handler: @escaping @MainActor () -> Void) -> Object {
        guard let raw = g_simple_action_new_stateful(name, nil, g_variant_new_boolean(isOn ? 1 : 0)) else {
            fatalError("GIO made no action")
        }
        let action = Object(owned: UnsafeMutableRawPointer(raw))
        action.on("activate") { _ in handler() }
        return action
    }

    /// Prevents the session from suspending until the returned number is passed to `uninhibit(_:)`; returns 0 on
    /// failure.
    /// - Parameters:
    ///   - window: The window that needs it.
    ///   - idle: Whether the screen stays on too.
    ///   - reason: The reason, which the desktop may display.
    package func inhibitSleep(_ window: Window?, idle: Bool, reason: String) -> UInt32 {
        let flags =
            GTK_APPLICATION_INHIBIT_SUSPEND.rawValue | (idle ? GTK_APPLICATION_INHIBIT_IDLE.rawValue : 0)
        return gtk_application_inhibit(application, window?.pointer(), GtkApplicationInhibitFlags(flags), reason)
    }

    /// Allows the session to suspend again.
    package func uninhibit(_ number: UInt32) {
        if number != 0 { gtk_application_uninhibit(application, number) }
    }

    /// Shows a desktop notification, replacing the one with the same identifier.
    /// - Parameters:
    ///   - id: The identifier.
    ///   - title: The title.
    ///   - body: The text; may be empty.
    ///   - action: The full name of the action that a click activates.
    package func notify(_ id: String, title: String, body: String, action: String) {
        guard let raw = g_notification_new(title) else { return }
        let notification = Object(owned: UnsafeMutableRawPointer(raw))
        if !body.isEmpty { g_notification_set_body(notification.opaque, body) }
        g_notification_set_priority(notification.opaque, G_NOTIFICATION_PRIORITY_LOW)
        g_notification_set_default_action(notification.opaque, action)
        g_application_send_notification(pointer(), id, notification.opaque)
    }

    /// Shows a file in the file manager, and selects it if the file manager supports that.
    /// - Parameters:
    ///   - uri: The URL of the file.
    ///   - folder: The URL of its folder.
    ///   - window: The parent window.
    package func showFile(_ uri: String, folder: String, _ window: Window) {
        guard let bus = g_application_get_dbus_connection(pointer()) else { return window.show(folder) }
        let handler = Unmanaged.passRetained(
            ActionBox { [weak window] in
                window?.show(folder)
                return false
            }
        )
        var uris: [OpaquePointer?] = [g_variant_new_string(uri)]
        var fields: [OpaquePointer?] = [g_variant_new_array(nil, &uris, 1), g_variant_new_string("")]
        g_dbus_connection_call(
            bus,
            "org.freedesktop.FileManager1",
            "/org/freedesktop/FileManager1",
            "org.freedesktop.FileManager1",
            "ShowItems",
            g_variant_new_tuple(&fields, 2),
            nil,
            G_DBUS_CALL_FLAGS_NONE,
            -1,
            nil,
            { source, result, data in
                if let answer = g_dbus_connection_call_finish(OpaquePointer(source), result, nil) {
                    g_variant_unref(answer)
                } else {
                    _ = ActionBox.call(data)
                }
                ActionBox.free(data)
            },
            handler.toOpaque()
        )
    }

    /// Removes a notification; does nothing if it does not exist.
    /// - Parameter id: The identifier.
    package func withdrawNotification(_ id: String) { g_application_withdraw_notification(pointer(), id) }
}

@MainActor
package final class Window: Widget {
    override class var kind: GType { gtk_window_get_type() }

    /// Creates a window of an application.
    package static func make(_ application: Application) -> Window {
        guard let instance = adw_application_window_new(application.pointer()) else {
            fatalError("libadwaita made no window")
        }
        return Window(UnsafeMutableRawPointer(instance))
    }

    /// Sets the content of the window, which includes a header bar in place of the title bar.
    package func setContent(_ content: Widget) { adw_application_window_set_content(pointer(), content.widget) }

    /// Shows the window and brings it to the front.
    package func present() { gtk_window_present(pointer()) }
    /// Closes the window, like its close button.
    package func close() { gtk_window_close(pointer()) }
    /// Destroys the window.
    package func destroy() { gtk_window_destroy(pointer()) }
    /// Sets the title that the desktop displays.
    package func setTitle(_ text: String) { gtk_window_set_title(pointer(), text) }
    /// Sets the initial size, in logical pixels.
    package func setDefaultSize(_ width: Int, _ height: Int) {
        gtk_window_set_default_size(pointer(), gint(clamping: width), gint(clamping: height))
    }
    /// Whether the window is maximized.
    package var isMaximized: Bool {
        get { gtk_window_is_maximized(pointer()) != 0 }
        set { if newValue { gtk_window_maximize(pointer()) } else { gtk_window_unmaximize(pointer()) } }
    }
    /// Whether the window is in full-screen mode.
    package var isFullScreen: Bool {
        get { gtk_window_is_fullscreen(pointer()) != 0 }
        set { if newValue { gtk_window_fullscreen(pointer()) } else { gtk_window_unfullscreen(pointer()) } }
    }
    /// The widget that has the keyboard focus.
    package var focused: Widget? {
        gtk_window_get_focus(pointer()).map { Widget(UnsafeMutableRawPointer($0)) }
    }
    /// Moves the focus, like the Tab key.
    /// - Parameter isForward: Whether it moves forward.
    /// - Returns: Whether the focus has moved.
    package func moveFocus(isForward: Bool) -> Bool {
        gtk_window_set_focus_visible(pointer(), 1)
        return gtk_widget_child_focus(widget, isForward ? GTK_DIR_TAB_FORWARD : GTK_DIR_TAB_BACKWARD) != 0
    }
    /// Opens a URL in the desktop's default program.
    func show(_ uri: String) { gtk_show_uri(pointer(), uri, guint32(GDK_CURRENT_TIME)) }

    /// Makes another window the parent, in front of which this window stays.
    package func setParent(_ parent: Window) {
        gtk_window_set_transient_for(pointer(), parent.pointer())
        gtk_window_set_modal(pointer(), 1)
    }

    /// Adds an action `win.<name>` that is on or off.
    /// - Parameter handler: Called when the action is activated; it must set the state with ``setToggle(_:_:)``.
    package func addToggle(_ name: String, isOn: Bool, _ handler: @escaping @MainActor () -> Void) {
        let action = Application.toggle(name, isOn: isOn, handler)
        withExtendedLifetime(action) { g_action_map_add_action(opaque, action.opaque) }
    }

    /// Sets the state of an action that was added with ``addToggle(_:isOn:_:)``.
    package func setToggle(_ name: String, _ isOn: Bool) {
        guard let action = g_action_map_lookup_action(opaque, name) else { return }
        g_simple_action_set_state(action, g_variant_new_boolean(isOn ? 1 : 0))
    }

    /// Adds an action `win.<name>`.
    @discardableResult
    package func addAction(_ name: String, _ handler: @escaping @MainActor () -> Void) -> Object {
        let action = Application.action(name, handler)
        g_action_map_add_action(opaque, action.opaque)
        return action
    }

    /// Sets the window of keyboard shortcuts that `win.show-help-overlay` shows.
    package func setHelp(_ help: Object) { syrinx_set_help(pointer(), help.pointer()) }

    /// Reads the text of the clipboard; passes `nil` if it has none.
    package func readClipboard(_ handler: @escaping @MainActor (String?) -> Void) {
        let box = Unmanaged.passRetained(TextBox(handler)).toOpaque()
        gdk_clipboard_read_text_async(
            gtk_widget_get_clipboard(widget),
            nil,
            { source, result, data in
                guard let data else { return }
                let text = gdk_clipboard_read_text_finish(OpaquePointer(source), result, nil)
                defer { g_free(text) }
                let string = text.map { String(cString: $0) }
                nonisolated(unsafe) let box = Unmanaged<TextBox>.fromOpaque(data).takeRetainedValue()
                MainActor.assumeIsolated { box.handler(string) }
            },
            box
        )
    }

    private final class TextBox {
        let handler: @MainActor (String?) -> Void
        init(_ handler: @escaping @MainActor (String?) -> Void) { self.handler = handler }
    }
}
