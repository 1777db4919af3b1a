import CSyrinxGTK

extension Window {
    /// Shows a dialog to choose files to open; calls nothing if it is cancelled.
    /// - Parameters:
    ///   - title: The title of the dialog.
    ///   - folders: Whether to choose a folder instead.
    ///   - filters: The file types, each with a name and MIME types.
    package func chooseFiles(
        _ title: String,
        folders: Bool = false,
        filters: [(name: String, types: [String])] = [],
        _ handler: @escaping @MainActor ([String]) -> Void
    ) {
        choose(folders ? SYRINX_FOLDER_TO_OPEN : SYRINX_FILES_TO_OPEN, title, filters: filters, handler)
    }

    /// Shows a dialog to choose the file to save; calls nothing if it is cancelled.
    /// - Parameters:
    ///   - title: The title of the dialog.
    ///   - name: The proposed file name.
    ///   - handler: Receives the URL.
    package func chooseDestination(
        _ title: String,
        name: String,
        _ handler: @escaping @MainActor (String) -> Void
    ) {
        choose(SYRINX_FILE_TO_SAVE, title, name: name) { $0.first.map(handler) }
    }

    private func choose(
        _ choice: syrinx_choice,
        _ title: String,
        filters: [(name: String, types: [String])] = [],
        name: String? = nil,
        _ handler: @escaping @MainActor ([String]) -> Void
    ) {
        let list = filters.isEmpty ? nil : Self.list(filters)
        let box = Unmanaged.passRetained(ChoiceBox(handler)).toOpaque()
        syrinx_choose_files(
            pointer(),
            choice,
            title,
            list?.opaque,
            name,
            { files, data in
                // GTK calls back on the main thread.
                nonisolated(unsafe) let files = files
                nonisolated(unsafe) let box = Unmanaged<ChoiceBox>.fromOpaque(data).takeRetainedValue()
                MainActor.assumeIsolated {
                    if let files { box.handler(Window.uris(files)) }
                }
            },
            box
        )
    }

    private final class ChoiceBox {
        let handler: @MainActor ([String]) -> Void
        init(_ handler: @escaping @MainActor ([String]) -> Void) { self.handler = handler }
    }

    private static func list(_ filters: [(name: String, types: [String])]) -> Object? {
        guard let raw = g_list_store_new(gtk_file_filter_get_type()) else { return nil }
        let list = Object(owned: UnsafeMutableRawPointer(raw))
        for (name, types) in filters {
            guard let raw = gtk_file_filter_new() else { continue }
            let filter = Object(owned: UnsafeMutableRawPointer(raw))
            gtk_file_filter_set_name(filter.opaque, name)
            for type in types { gtk_file_filter_add_mime_type(filter.opaque, type) }
            g_list_store_append(list.opaque, filter.raw)
        }
        return list
    }

    private static func uris(_ files: OpaquePointer) -> [String] {
        (0..<g_list_model_get_n_items(files)).compactMap { index in
            guard let item = g_list_model_get_item(files, index) else { return nil }
            let file = Object(owned: UnsafeMutableRawPointer(item))
            return Widget.uri(file.opaque)
        }
    }
}
