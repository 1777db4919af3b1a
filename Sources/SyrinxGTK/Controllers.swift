import CSyrinxGTK

/// Keys held down with another input.
package struct Modifiers: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let shift = Modifiers(rawValue: 1)
    package static let control = Modifiers(rawValue: 4)
    package static let alt = Modifiers(rawValue: 8)
}

/// A step of a gesture that drags with the first button or a finger, in logical pixels from the corner of the widget.
package enum DragStep: Sendable {
    case began(x: Double, y: Double)
    case moved(x: Double, y: Double)
    case ended(x: Double, y: Double)
    case cancelled
}

/// A step of a gesture in which two fingers move apart or together.
package enum PinchStep: Sendable {
    case began
    /// The fingers are so many times as far apart as they were.
    case changed(Double)
    case ended
}

extension Widget {
    func add(_ controller: OpaquePointer?) -> Object {
        guard let controller else { fatalError("GTK made no controller") }
        // The widget takes over the reference that the constructor returned; the wrapper holds one of its own.
        let object = Object(UnsafeMutableRawPointer(controller))
        gtk_widget_add_controller(widget, controller)
        return object
    }

    private static func modifiers(_ controller: UnsafeMutableRawPointer) -> Modifiers {
        let state = gtk_event_controller_get_current_event_state(OpaquePointer(controller))
        return Modifiers(rawValue: Int(state.rawValue))
    }

    /// Reports drags.
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

    /// Reports presses of the first button with their number in a row.
    /// - Parameter captures: Whether they are seen before the widgets within see them.
    package func onPress(captures: Bool = false, _ handler: @escaping @MainActor (_ count: Int) -> Void) {
        let gesture = add(gtk_gesture_click_new())
        if captures { gtk_event_controller_set_propagation_phase(gesture.opaque, GTK_PHASE_CAPTURE) }
        gesture.on("pressed") { handler($0.int(0)) }
    }

    /// Reports the pointer over the widget, and `nil` when it has left.
    package func onHover(_ handler: @escaping @MainActor ((x: Double, y: Double)?) -> Void) {
        let motion = add(gtk_event_controller_motion_new())
        motion.on("motion") { handler(($0.double(0), $0.double(1))) }
        motion.on("leave") { _ in handler(nil) }
    }

    /// Reports the wheel and two-finger scrolling; the handler returns whether it has used it.
    package func onScroll(_ handler: @escaping @MainActor (_ dx: Double, _ dy: Double, Modifiers) -> Bool) {
        let scroll = add(gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES))
        let raw = scroll.raw
        scroll.connect("scroll") { handler($0.double(0), $0.double(1), Self.modifiers(raw)) }
    }

    /// Reports pinches.
    package func onPinch(_ handler: @escaping @MainActor (PinchStep) -> Void) {
        let zoom = add(gtk_gesture_zoom_new())
        zoom.on("begin") { _ in handler(.began) }
        zoom.on("scale-changed") { handler(.changed($0.double(0))) }
        zoom.on("end") { _ in handler(.ended) }
        zoom.on("cancel") { _ in handler(.ended) }
    }

    /// Reports keys before the widgets within see them; the handler returns whether it has used the key.
    /// - Parameter handler: Gets the name of the key as GDK has it, such as `space` or `Left`, and the character that it types, if any.
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

    /// Reports the URLs that are dropped on the widget: files, or a text that is a link.
    /// - Parameters:
    ///   - hover: Told of something that may be dropped being over the widget, and of its leaving.
    ///   - handler: Gets the URLs as texts, and the logical pixels from the upper edge of the widget.
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

    /// Reports the place of what is dragged over the widget, and `nil` when it has left.
    package func onDropMotion(_ handler: @escaping @MainActor (_ y: Double?) -> Void) {
        let motion = add(gtk_drop_controller_motion_new())
        motion.on("enter") { handler($0.double(1)) }
        motion.on("motion") { handler($0.double(1)) }
        motion.on("leave") { _ in handler(nil) }
    }

    /// Lets the widget be dragged to where texts are dropped.
    /// - Parameters:
    ///   - text: The text that is dropped.
    ///   - handler: Told of the beginning and the end.
    /// - Returns: The gesture, which can be switched off.
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

/// The gesture by which a widget is dragged to where texts are dropped.
@MainActor
package struct DragSource {
    fileprivate let controller: Object

    /// Switches it on or off.
    /// - Parameter isOn: Whether the widget can be dragged.
    package func setOn(_ isOn: Bool) {
        gtk_event_controller_set_propagation_phase(controller.opaque, isOn ? GTK_PHASE_BUBBLE : GTK_PHASE_NONE)
    }
}
