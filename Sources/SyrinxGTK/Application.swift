import CSyrinxGTK

/// The program: one for each user's session, whose later starts hand their files to the first.
@MainActor
package final class Application: Object {
    private var application: UnsafeMutablePointer<GtkApplication> { pointer() }

    /// Makes the application.
    /// - Parameter id: Its identifier, which is also the name of its desktop file.
    package static func make(id: String) -> Application {
        guard let instance = adw_application_new(id, G_APPLICATION_HANDLES_OPEN) else {
            fatalError("libadwaita made no application")
        }
        return Application(owned: UnsafeMutableRawPointer(instance))
    }

    /// Runs the main loop until the last window has been closed.
    ///
    /// The arguments are those of the process as they are: the name of a file need not be UTF-8.
    /// - Returns: The exit status.
    package func run() -> Int32 { g_application_run(pointer(), CommandLine.argc, CommandLine.unsafeArgv) }

    /// Calls `handler` with the URLs to open when the program is started with some.
    package func onOpen(_ handler: @escaping @MainActor ([String]) -> Void) {
        on("open") { arguments in
            guard let files = arguments.pointer(0)?.assumingMemoryBound(to: OpaquePointer?.self) else { return }
            handler((0..<max(0, arguments.int(1))).compactMap { files[$0].flatMap(Widget.uri) })
        }
    }

    /// Ends the main loop.
    package func quit() { g_application_quit(pointer()) }

    /// Adds an action `app.<name>`.
    @discardableResult
    package func addAction(_ name: String, _ handler: @escaping @MainActor () -> Void) -> Object {
        let action = Self.action(name, handler)
        g_action_map_add_action(opaque, action.opaque)
        return action
    }

    /// Adds an action `app.<name>` with a number, as `app.<name>(3)`.
    package func addNumberedAction(_ name: String, _ handler: @escaping @MainActor (Int) -> Void) {
        guard let raw = g_simple_action_new(name, syrinx_int32_variant()) else { fatalError("GIO made no action") }
        let action = Object(owned: UnsafeMutableRawPointer(raw))
        action.on("activate") { arguments in arguments.variantInt(0).map(handler) }
        withExtendedLifetime(action) { g_action_map_add_action(opaque, action.opaque) }
    }

    /// Adds an option of the command line, as `--new-window`, that runs an action of the app before files are opened.
    ///
    /// If the program runs already, the action is run there.
    /// - Parameters:
    ///   - name: The name of the option, and of the action.
    ///   - description: The sentence that `--help` shows.
    package func addOption(_ name: String, _ description: String) {
        g_application_add_main_option(pointer(), name, 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, description, nil)
        connect("handle-local-options") { [weak self] arguments in
            guard let self, let options = arguments.boxed(0),
                g_variant_dict_contains(options.assumingMemoryBound(to: GVariantDict.self), name) != 0,
                g_application_register(self.pointer(), nil, nil) != 0
            else { return false }
            g_action_group_activate_action(self.opaque, name, nil)
            // Files are opened as ever.
            return false
        }
    }

    /// Sets the keys that run an action, by its full name.
    package func setKeys(_ action: String, _ keys: [String]) {
        guard !keys.isEmpty else { return }
        var pointers: [UnsafePointer<CChar>?] = keys.map { UnsafePointer(strdup($0)) } + [nil]
        defer { pointers.forEach { g_free(UnsafeMutableRawPointer(mutating: $0)) } }
        gtk_application_set_accels_for_action(application, action, &pointers)
    }

    /// Makes an action without a state.
    package static func action(_ name: String, _ handler: @escaping @MainActor () -> Void) -> Object {
        guard let raw = g_simple_action_new(name, nil) else { fatalError("GIO made no action") }
        let action = Object(owned: UnsafeMutableRawPointer(raw))
        action.on("activate") { _ in handler() }
        return action
    }

    /// Makes an action that is on or off, which a menu shows by a mark.
    package static func toggle(_ name: String, isOn: Bool, _ handler: @escaping @MainActor () -> Void) -> Object {
        guard let raw = g_simple_action_new_stateful(name, nil, g_variant_new_boolean(isOn ? 1 : 0)) else {
            fatalError("GIO made no action")
        }
        let action = Object(owned: UnsafeMutableRawPointer(raw))
        action.on("activate") { _ in handler() }
        return action
    }

    /// Keeps the session from sleeping until the returned number is given to `uninhibit`; 0 if it cannot.
    /// - Parameters:
    ///   - window: The window for whose sake.
    ///   - idle: Whether the screen stays lit too.
    ///   - reason: The reason, which the desktop may show.
    package func inhibitSleep(_ window: Window?, idle: Bool, reason: String) -> UInt32 {
        let flags =
            GTK_APPLICATION_INHIBIT_SUSPEND.rawValue | (idle ? GTK_APPLICATION_INHIBIT_IDLE.rawValue : 0)
        return gtk_application_inhibit(application, window?.pointer(), GtkApplicationInhibitFlags(flags), reason)
    }

    /// Lets the session sleep again.
    package func uninhibit(_ number: UInt32) {
        if number != 0 { gtk_application_uninhibit(application, number) }
    }

    /// Shows a notification of the desktop in place of the one with the same identifier.
    /// - Parameters:
    ///   - id: The identifier.
    ///   - title: The heading.
    ///   - body: The text below it; none if it is empty.
    ///   - action: The full name of the action that a click on it runs.
    package func notify(_ id: String, title: String, body: String, action: String) {
        guard let raw = g_notification_new(title) else { return }
        let notification = Object(owned: UnsafeMutableRawPointer(raw))
        if !body.isEmpty { g_notification_set_body(notification.opaque, body) }
        g_notification_set_priority(notification.opaque, G_NOTIFICATION_PRIORITY_LOW)
        g_notification_set_default_action(notification.opaque, action)
        g_application_send_notification(pointer(), id, notification.opaque)
    }

    /// Shows a file in the program for files, with the file selected if that program can do so.
    /// - Parameters:
    ///   - uri: The URL of the file.
    ///   - folder: That of its folder.
    ///   - window: The window that asks.
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

    /// Removes a notification; one that is not there changes nothing.
    /// - Parameter id: The identifier.
    package func withdrawNotification(_ id: String) { g_application_withdraw_notification(pointer(), id) }
}

/// A window.
@MainActor
package final class Window: Widget {
    /// Makes a window of an application.
    package static func make(_ application: Application) -> Window {
        guard let instance = adw_application_window_new(application.pointer()) else {
            fatalError("libadwaita made no window")
        }
        return Window(UnsafeMutableRawPointer(instance))
    }

    /// The content below no title bar: it has a header bar of its own.
    package func setContent(_ content: Widget) { adw_application_window_set_content(pointer(), content.widget) }

    /// Shows the window, in front.
    package func present() { gtk_window_present(pointer()) }
    /// Closes the window, as its button does.
    package func close() { gtk_window_close(pointer()) }
    /// Frees the window.
    package func destroy() { gtk_window_destroy(pointer()) }
    /// The title for the desktop.
    package func setTitle(_ text: String) { gtk_window_set_title(pointer(), text) }
    /// The size at first, in logical pixels.
    package func setDefaultSize(_ width: Int, _ height: Int) {
        gtk_window_set_default_size(pointer(), gint(clamping: width), gint(clamping: height))
    }
    /// Whether the window fills the screen beside panels, with its frame.
    package var isMaximized: Bool {
        get { gtk_window_is_maximized(pointer()) != 0 }
        set { if newValue { gtk_window_maximize(pointer()) } else { gtk_window_unmaximize(pointer()) } }
    }
    /// Whether the window fills the screen.
    package var isFullScreen: Bool {
        get { gtk_window_is_fullscreen(pointer()) != 0 }
        set { if newValue { gtk_window_fullscreen(pointer()) } else { gtk_window_unfullscreen(pointer()) } }
    }
    /// The widget that has the focus.
    package var focused: Widget? {
        gtk_window_get_focus(pointer()).map { Widget(UnsafeMutableRawPointer($0)) }
    }
    /// Moves the focus on, as the Tab key does.
    /// - Parameter isForward: Whether it goes forward.
    /// - Returns: Whether it has moved.
    package func moveFocus(isForward: Bool) -> Bool {
        gtk_window_set_focus_visible(pointer(), 1)
        return gtk_widget_child_focus(widget, isForward ? GTK_DIR_TAB_FORWARD : GTK_DIR_TAB_BACKWARD) != 0
    }
    /// Has the desktop's program for it open a URL.
    func show(_ uri: String) { gtk_show_uri(pointer(), uri, guint32(GDK_CURRENT_TIME)) }

    /// Makes this window belong to another, in front of which it is shown.
    package func setParent(_ parent: Window) {
        gtk_window_set_transient_for(pointer(), parent.pointer())
        gtk_window_set_modal(pointer(), 1)
    }

    /// Adds an action `win.<name>` that is on or off.
    /// - Parameter handler: Called when it is activated; it sets the state by ``setToggle(_:_:)``.
    package func addToggle(_ name: String, isOn: Bool, _ handler: @escaping @MainActor () -> Void) {
        let action = Application.toggle(name, isOn: isOn, handler)
        withExtendedLifetime(action) { g_action_map_add_action(opaque, action.opaque) }
    }

    /// Sets the state of an action that ``addToggle(_:isOn:_:)`` has added.
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

    /// The window of shortcuts that `win.show-help-overlay` shows.
    package func setHelp(_ help: Object) { syrinx_set_help(pointer(), help.pointer()) }

    /// Reads the text of the clipboard; `nil` if it has none.
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
