import CSyrinxGTK

/// The modifier keys that are held during another input.
package struct Modifiers: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let shift = Modifiers(rawValue: 1)
    package static let control = Modifiers(rawValue: 4)
    package static let alt = Modifiers(rawValue: 8)
}

/// A step of a drag with the primary button or a finger, in logical pixels from the upper left corner of the widget.
package enum DragStep: Sendable {
    case began(x: Double, y: Double)
    case moved(x: Double, y: Double)
    case ended(x: Double, y: Double)
    case cancelled
}

/// A step of a pinch gesture.
package enum PinchStep: Sendable {
    case began
    /// The distance of the fingers, as a multiple of the initial distance.
    case changed(Double)
    case ended
}

extension Widget {
    func add(_ controller: OpaquePointer?) -> Object {
        guard let controller else { fatalError("GTK made no controller") }
        // The widget takes over the reference that the constructor returned; the wrapper holds its own.
        let object = Object(UnsafeMutableRawPointer(controller))
        gtk_widget_add_controller(widget, controller)
        return object
    }

    private static func modifiers(_ controller: UnsafeMutableRawPointer) -> Modifiers {
        let state = gtk_event_controller_get_current_event_state(OpaquePointer(controller))
        return Modifiers(rawValue: Int(state.rawValue))
    }

    /// Calls `handler` for drags.
    package func onDrag(_ handler: @escaping @MainActor (DragStep) -> Void) {
        let gesture = add(gtk_gesture_drag_new())
        let raw = gesture.raw
        func place(_ arguments: SignalArguments) -> (Double, Double) {
            var (x, y) = (0.0, 0.0)
            gtk_gesture_drag_get_start_point(OpaquePointer(raw), &x, &y)
            return (x + arguments.double(0), y + arguments.double(1))
        }
        gesture.on("drag-begin") {
            gtk_gesture_set_state(OpaquePointer(raw), GTK_EVENT_SEQUENCE_CLAIMED)
            handler(.began(x: $0.double(0), y: $0.double(1)))
        }
        gesture.on("drag-update") {
            let (x, y) = place($0)
            handler(.moved(x: x, y: y))
        }
        gesture.on("drag-end") {
            let (x, y) = place($0)
            handler(.ended(x: x, y: y))
        }
        gesture.on("cancel") { _ in handler(.cancelled) }
    }

    /// Calls `handler` for primary clicks, with the number of clicks in quick succession.
    /// - Parameter captures: Whether the handler is called before child widgets receive the click.
    package func onPress(captures: Bool = false, _ handler: @escaping @MainActor (_ count: Int) -> Void) {
        let gesture = add(gtk_gesture_click_new())
        if captures { gtk_event_controller_set_propagation_phase(gesture.opaque, GTK_PHASE_CAPTURE) }
        gesture.on("pressed") { handler($0.int(0)) }
    }

    /// Calls `handler` with the position of the pointer over the widget, and with `nil` when it leaves.
    package func onHover(_ handler: @escaping @MainActor ((x: Double, y: Double)?) -> Void) {
        let motion = add(gtk_event_controller_motion_new())
        motion.on("motion") { handler(($0.double(0), $0.double(1))) }
        motion.on("leave") { _ in handler(nil) }
    }

    /// Calls `handler` for scroll events; the handler returns whether it has processed the event.
    package func onScroll(_ handler: @escaping @MainActor (_ dx: Double, _ dy: Double, Modifiers) -> Bool) {
        let scroll = add(gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES))
        let raw = scroll.raw
        scroll.connect("scroll") { handler($0.double(0), $0.double(1), Self.modifiers(raw)) }
    }

    /// Calls `handler` for pinch gestures.
    package func onPinch(_ handler: @escaping @MainActor (PinchStep) -> Void) {
        let zoom = add(gtk_gesture_zoom_new())
        zoom.on("begin") { _ in handler(.began) }
        zoom.on("scale-changed") { handler(.changed($0.double(0))) }
        zoom.on("end") { _ in handler(.ended) }
        zoom.on("cancel") { _ in handler(.ended) }
    }

    /// Calls `handler` for key presses before child widgets receive them; the handler returns whether it has processed
    /// the key.
    /// - Parameter handler: Receives GDK's name of the key, such as `space` or `Left`, and the character that it types,
    ///   if any.
    package func onKey(_ handler: @escaping @MainActor (_ key: String, _ character: Character?, Modifiers) -> Bool) {
        let controller = add(gtk_event_controller_key_new())
        gtk_event_controller_set_propagation_phase(controller.opaque, GTK_PHASE_CAPTURE)
        controller.connect("key-pressed") {
            let value = guint(clamping: $0.int(0))
            guard let name = gdk_keyval_name(value) else { return false }
            let scalar = Unicode.Scalar(gdk_keyval_to_unicode(value)).flatMap {
                $0.value > 32 && $0.value != 127 ? $0 : nil
            }
            let mask = Modifiers([.shift, .control, .alt]).rawValue
            return handler(String(cString: name), scalar.map { Character($0) }, Modifiers(rawValue: $0.int(2) & mask))
        }
    }

    /// Accepts dropped URLs: files, or text that is a link.
    /// - Parameters:
    ///   - hover: Called when an acceptable drag enters or leaves the widget.
    ///   - handler: Receives the URLs, and the distance from the top of the widget in logical pixels.
    package func onDrop(
        hover: @escaping @MainActor (Bool) -> Void = { _ in },
        _ handler: @escaping @MainActor (_ texts: [String], _ y: Double) -> Void
    ) {
        let action = GdkDragAction(rawValue: GDK_ACTION_COPY.rawValue | GDK_ACTION_MOVE.rawValue)
        let target = add(gtk_drop_target_new(GType(0), action))
        var types = [syrinx_file_list_type(), syrinx_file_type(), GType.string]
        gtk_drop_target_set_gtypes(target.opaque, &types, gsize(types.count))
        target.connect("drop") { arguments in
            guard arguments.count > 0, let value = arguments.boxed(0) else { return false }
            let urls = Self.urls(value.assumingMemoryBound(to: GValue.self))
            guard !urls.isEmpty else { return false }
            handler(urls, arguments.double(2))
            return true
        }
        let raw = target.raw
        target.on("notify::current-drop") { _ in hover(gtk_drop_target_get_current_drop(OpaquePointer(raw)) != nil) }
    }

    /// Calls `handler` with the position of a drag over the widget, and with `nil` when it leaves.
    package func onDropMotion(_ handler: @escaping @MainActor (_ y: Double?) -> Void) {
        let motion = add(gtk_drop_controller_motion_new())
        motion.on("enter") { handler($0.double(1)) }
        motion.on("motion") { handler($0.double(1)) }
        motion.on("leave") { _ in handler(nil) }
    }

    /// Makes the widget draggable, as a text.
    /// - Parameters:
    ///   - text: The dropped text.
    ///   - handler: Called at the start and at the end of a drag.
    /// - Returns: The drag source, which can be disabled.
    @discardableResult
    package func setDragged(
        _ text: String,
        _ handler: @escaping @MainActor (_ isDragged: Bool) -> Void
    ) -> DragSource {
        let source = add(gtk_drag_source_new())
        var value = GValue()
        syrinx_value_init(&value, GType.string)
        g_value_set_string(&value, text)
        let provider = gdk_content_provider_new_for_value(&value)
        g_value_unset(&value)
        gtk_drag_source_set_content(source.opaque, provider)
        provider.map { g_object_unref(UnsafeMutableRawPointer($0)) }
        gtk_drag_source_set_actions(source.opaque, GDK_ACTION_MOVE)
        source.on("drag-begin") { _ in handler(true) }
        source.on("drag-end") { _ in handler(false) }
        return DragSource(controller: source)
    }

    private static func urls(_ value: UnsafePointer<GValue>) -> [String] {
        if syrinx_value_holds(value, syrinx_file_list_type()) != 0 {
            let list = gdk_file_list_get_files(OpaquePointer(g_value_get_boxed(value)))
            defer { g_slist_free(list) }
            var (urls, node): ([String], UnsafeMutablePointer<GSList>?) = ([], list)
            while let current = node {
                if let file = current.pointee.data { urls += [uri(OpaquePointer(file))].compactMap(\.self) }
                node = current.pointee.next
            }
            return urls
        }
        if syrinx_value_holds(value, syrinx_file_type()) != 0 {
            return g_value_get_object(value).flatMap { uri(OpaquePointer($0)) }.map { [$0] } ?? []
        }
        guard syrinx_value_holds(value, GType.string) != 0, let text = g_value_get_string(value) else { return [] }
        return String(cString: text).split(whereSeparator: \.isNewline).map(String.init).filter { !$0.hasPrefix("#") }
    }

    static func uri(_ file: OpaquePointer) -> String? {
        guard let text = g_file_get_uri(file) else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}

/// The gesture that makes a widget draggable.
@MainActor
package struct DragSource {
    fileprivate let controller: Object

    /// Enables or disables the gesture.
    /// - Parameter isOn: Whether the widget can be dragged.
    package func setOn(_ isOn: Bool) {
        gtk_event_controller_set_propagation_phase(controller.opaque, isOn ? GTK_PHASE_BUBBLE : GTK_PHASE_NONE)
    }
}
