import CSyrinxGTK

/// The content of a `GtkPicture` that changes many times per second, such as video.
///
/// GTK 4.8's Cairo renderer would convert each texture to floating point and back, and scale it with a slow filter.
/// Therefore it draws a Cairo surface instead, to which each frame is copied once.
@MainActor
package final class MovingPicture: Object {
    /// Rows of pixels with blue, green, red, and an alpha of 255.
    @MainActor
    private final class Content {
        let widget: UnsafeMutablePointer<GtkWidget>
        var surface: OpaquePointer?
        var texture: Texture?
        var (width, height): (gint, gint) = (0, 0)
        /// Whether another frame follows soon, so that a fast filter is sufficient.
        var moves = false

        init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

        isolated deinit { cairo_surface_destroy(surface) }
    }

    private static let key = "syrinx-moving-picture"

    /// Creates an empty picture, and displays it in a `GtkPicture`.
    /// - Parameter view: The `GtkPicture`, which must outlive the picture.
    package static func make(in view: Widget) -> MovingPicture {
        guard let instance = g_object_new_with_properties(type, 0, nil, nil) else { fatalError("GTK made no picture") }
        let picture = MovingPicture(owned: UnsafeMutableRawPointer(instance))
        g_object_set_data_full(instance, key, Unmanaged.passRetained(Content(view.widget)).toOpaque()) { data in
            data.map { Unmanaged<Content>.fromOpaque($0).release() }
        }
        view.set("paintable", .object(picture))
        return picture
    }

    /// Displays rows of pixels, which are copied, with blue, green, red and alpha bytes.
    /// - Parameters:
    ///   - width: The width in pixels, greater than 0.
    ///   - height: The height in pixels, greater than 0.
    ///   - stride: The distance between rows in bytes, at least four times the width.
    ///   - rows: The bytes of all rows.
    ///   - moves: Whether another frame follows soon.
    /// - Returns: `false` if the sizes are invalid or there is not enough memory.
    package func show(width: Int, height: Int, stride: Int, rows: UnsafeRawBufferPointer, moves: Bool) -> Bool {
        let size = stride.multipliedReportingOverflow(by: height)
        guard let content = Self.content(raw), width > 0, height > 0, stride / 4 >= width, !size.overflow,
            rows.count >= size.partialValue, let base = rows.baseAddress
        else { return false }
        content.moves = moves
        if Drawing.usesCairo(content.widget) {
            guard let surface = Self.surface(width, height, stride, base) else { return false }
            cairo_surface_destroy(content.surface)
            (content.surface, content.texture) = (surface, nil)
        } else {
            guard let texture = Texture.make(width: width, height: height, stride: stride, rows: rows) else {
                return false
            }
            cairo_surface_destroy(content.surface)
            (content.surface, content.texture) = (nil, texture)
        }
        let sides = (gint(clamping: width), gint(clamping: height))
        if sides != (content.width, content.height) {
            (content.width, content.height) = sides
            gdk_paintable_invalidate_size(opaque)
        }
        gdk_paintable_invalidate_contents(opaque)
        return true
    }

    /// Redraws the current frame with the best filter.
    package func rest() {
        guard let content = Self.content(raw), content.moves else { return }
        content.moves = false
        gdk_paintable_invalidate_contents(opaque)
    }

    private static func surface(_ width: Int, _ height: Int, _ stride: Int, _ rows: UnsafeRawPointer) -> OpaquePointer?
    {
        guard
            let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, gint(clamping: width), gint(clamping: height)),
            let data = cairo_image_surface_get_data(surface)
        else { return nil }
        let step = Int(cairo_image_surface_get_stride(surface))
        for row in 0..<height { memcpy(data + row * step, rows + row * stride, width * 4) }
        cairo_surface_mark_dirty(surface)
        return surface
    }

    private static func content(_ raw: UnsafeMutableRawPointer) -> Content? {
        g_object_get_data(raw.assumingMemoryBound(to: GObject.self), key).map {
            Unmanaged<Content>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private static func draw(_ content: Content, _ snapshot: OpaquePointer, _ width: Double, _ height: Double) {
        guard width > 0, height > 0 else { return }
        var bounds = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0),
            size: graphene_size_t(width: Float(width), height: Float(height))
        )
        if let texture = content.texture { return gtk_snapshot_append_texture(snapshot, texture.opaque, &bounds) }
        guard let surface = content.surface, let cairo = gtk_snapshot_append_cairo(snapshot, &bounds) else { return }
        cairo_scale(cairo, width / Double(max(content.width, 1)), height / Double(max(content.height, 1)))
        cairo_set_source_surface(cairo, surface, 0, 0)
        let pattern = cairo_get_source(cairo)
        cairo_pattern_set_filter(pattern, content.moves ? CAIRO_FILTER_BILINEAR : CAIRO_FILTER_GOOD)
        cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
        cairo_paint(cairo)
        cairo_destroy(cairo)
    }

    private static let type: GType = {
        let type = g_type_register_static_simple(
            g_object_get_type(),
            "SyrinxMovingPicture",
            guint(MemoryLayout<GObjectClass>.size),
            nil,
            guint(MemoryLayout<GObject>.size),
            nil,
            GTypeFlags(rawValue: 0)
        )
        var interface = GInterfaceInfo()
        interface.interface_init = { table, _ in
            let functions = table?.assumingMemoryBound(to: GdkPaintableInterface.self)
            functions?.pointee.snapshot = { paintable, snapshot, width, height in
                nonisolated(unsafe) let (paintable, snapshot) = (paintable, snapshot)
                MainActor.assumeIsolated {
                    guard let paintable, let snapshot, let content = content(UnsafeMutableRawPointer(paintable)) else {
                        return
                    }
                    draw(content, snapshot, width, height)
                }
            }
            functions?.pointee.get_intrinsic_width = { paintable in
                nonisolated(unsafe) let paintable = paintable
                return MainActor.assumeIsolated {
                    paintable.flatMap { content(UnsafeMutableRawPointer($0))?.width } ?? 0
                }
            }
            functions?.pointee.get_intrinsic_height = { paintable in
                nonisolated(unsafe) let paintable = paintable
                return MainActor.assumeIsolated {
                    paintable.flatMap { content(UnsafeMutableRawPointer($0))?.height } ?? 0
                }
            }
        }
        g_type_add_interface_static(type, gdk_paintable_get_type(), &interface)
        return type
    }()
}
