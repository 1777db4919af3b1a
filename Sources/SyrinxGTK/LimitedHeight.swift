import CSyrinxGTK

/// The layout of a container whose only child gets no more than a height, and is centred in what is left.
///
/// The natural height is the least one, so that the widgets beside the container get theirs first.
enum LimitedHeight {
    /// Returns the greatest height in logical pixels: 480, or 400 from a width of 2000 on, as the time of a frame grows with its area.
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
    /// Gives the only child of this `AdwBin` 480 logical pixels of height at most, 400 in a view of 2000 or wider.
    ///
    /// It gets no more than its least height as long as other widgets lack theirs.
    package func limitHeight() { gtk_widget_set_layout_manager(widget, LimitedHeight.make()) }
}
