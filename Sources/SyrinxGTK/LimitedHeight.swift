import CSyrinxGTK

/// A layout that limits the height of a container's only child, and centers the child.
///
/// The natural height equals the minimum height, so that other widgets get their height first.
enum LimitedHeight {
    /// Returns the maximum height in logical pixels: 480, or 400 from a width of 2000, because large areas are slow to
    /// draw.
    static func maximum(atWidth width: gint) -> gint { width < 2000 ? 480 : 400 }

    static func make() -> UnsafeMutablePointer<GtkLayoutManager>? {
        gtk_custom_layout_new(
            nil,
            { widget, orientation, size, least, natural, _, _ in
                guard let child = gtk_widget_get_first_child(widget) else { return }
                gtk_widget_measure(child, orientation, size, least, natural, nil, nil)
                if orientation == GTK_ORIENTATION_VERTICAL, let least, let natural { natural.pointee = least.pointee }
            },
            { widget, width, height, _ in
                guard let child = gtk_widget_get_first_child(widget) else { return }
                let limited = min(height, LimitedHeight.maximum(atWidth: width))
                var place = GtkAllocation(x: 0, y: (height - limited) / 2, width: width, height: limited)
                gtk_widget_size_allocate(child, &place, -1)
            }
        )
    }
}

extension Widget {
    /// Limits the height of this `AdwBin`'s child to 480 logical pixels, or 400 from a width of 2000.
    ///
    /// The child gets only its minimum height while other widgets need more.
    package func limitHeight() { gtk_widget_set_layout_manager(widget, LimitedHeight.make()) }
}
