import CSyrinxGTK

extension DecodedPicture {
    /// The maximum size of a cover file, in bytes.
    package static let maximumFileSize = 16 << 20

    /// The size to which a loader scales a picture.
    private final class Size {
        let side: Int
        var isTooLarge = false
        init(_ side: Int) { self.side = side }
    }

    /// Decodes a picture file and scales it down to fit into a square; `nil` if GDK does not support its format.
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - side: The side of the square in pixels, 1…1024; smaller pictures keep their size.
    package init?(bytes: [UInt8], side: Int) {
        guard let loader = gdk_pixbuf_loader_new() else { return nil }
        let object = UnsafeMutableRawPointer(loader)
        defer { g_object_unref(object) }
        let size = Size(min(max(side, 1), 1024))
        let prepared: @convention(c) (UnsafeMutableRawPointer?, gint, gint, UnsafeMutableRawPointer?) -> Void = {
            loader,
            width,
            height,
            data in
            guard let loader, let data, width > 0, height > 0 else { return }
            let size = Unmanaged<Size>.fromOpaque(data).takeUnretainedValue()
            size.isTooLarge = Int64(width) * Int64(height) > DecodedPicture.maximumPixelCount
            // With a size of 0, the loader stops before it decodes the picture.
            guard !size.isTooLarge else {
                return gdk_pixbuf_loader_set_size(loader.assumingMemoryBound(to: GdkPixbufLoader.self), 0, 0)
            }
            let scale = Double(size.side) / Double(max(width, height))
            guard scale < 1 else { return }
            // Bounded: both are less than the sides of the picture.
            let (newWidth, newHeight) = (gint(Double(width) * scale), gint(Double(height) * scale))
            gdk_pixbuf_loader_set_size(
                loader.assumingMemoryBound(to: GdkPixbufLoader.self),
                max(newWidth, 1),
                max(newHeight, 1)
            )
        }
        let data = Unmanaged.passUnretained(size).toOpaque()
        g_signal_connect_data(
            object,
            "size-prepared",
            unsafeBitCast(prepared, to: GCallback.self),
            data,
            nil,
            GConnectFlags(rawValue: 0)
        )
        let isWritten = withExtendedLifetime(size) {
            bytes.withUnsafeBufferPointer {
                gdk_pixbuf_loader_write(loader, $0.baseAddress, gsize($0.count), nil) != 0
            }
        }
        // The loader must be closed in any case.
        let isClosed = gdk_pixbuf_loader_close(loader, nil) != 0
        guard isWritten, isClosed, !size.isTooLarge, let picture = gdk_pixbuf_loader_get_pixbuf(loader) else {
            return nil
        }
        self.init(picture)
    }
}
