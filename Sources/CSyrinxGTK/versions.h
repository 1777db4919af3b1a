// The differences between GTK 4.8 and 4.18. No other file depends on a version of GTK. Each function calls the newest interface
// that the installed version has, so that no call is deprecated in any of them. Versions are from GTK's headers.
#pragma once
#include <adwaita.h>
#include <gtk/gtk.h>

// Style

/// Puts rules in place of those of a style sheet.
static inline void syrinx_set_rules(GtkCssProvider *_Nonnull sheet, const char *_Nonnull css) {
#if GTK_CHECK_VERSION(4, 12, 0)
    gtk_css_provider_load_from_string(sheet, css);
#else
    gtk_css_provider_load_from_data(sheet, css, -1);
#endif
}

/// Stores the colour of the text of a widget.
static inline void syrinx_text_color(GtkWidget *_Nonnull widget, GdkRGBA *_Nonnull color) {
#if GTK_CHECK_VERSION(4, 10, 0)
    gtk_widget_get_color(widget, color);
#else
    gtk_style_context_get_color(gtk_widget_get_style_context(widget), color);
#endif
}

#if GTK_CHECK_VERSION(4, 10, 0)
/// Returns a widget whose text has half the opacity of a colour of the theme; the caller owns a reference.
///
/// It is a hidden child of the window, which GTK styles again when the theme changes: to make a new one takes 40 µs. It is a new
/// one each time as long as there is no window that is realized.
static inline GtkWidget *_Nonnull syrinx_color_sample(GtkWidget *_Nonnull widget, const char *_Nonnull name) {
    GtkWidget *window = (GtkWidget *)gtk_widget_get_root(widget);
    GtkWidget *child = window ? gtk_widget_get_first_child(window) : NULL;
    for (; child; child = gtk_widget_get_next_sibling(child)) {
        if (g_str_equal(gtk_widget_get_name(child), name)) return g_object_ref(child);
    }
    GObject *display = G_OBJECT(gtk_widget_get_display(widget));
    if (!g_object_get_data(display, name)) {
        char *css = g_strdup_printf("#%s { color: alpha(@%s, 0.5); }", name, name);
        GtkCssProvider *sheet = gtk_css_provider_new();
        syrinx_set_rules(sheet, css);
        // Before the rules of the user, which may be for all widgets.
        const guint priority = GTK_STYLE_PROVIDER_PRIORITY_USER + 1;
        gtk_style_context_add_provider_for_display(GDK_DISPLAY(display), GTK_STYLE_PROVIDER(sheet), priority);
        g_object_set_data_full(display, name, sheet, g_object_unref);
        g_free(css);
    }
    GtkWidget *sample = g_object_ref_sink(adw_bin_new());
    gtk_widget_set_name(sample, name);
    gtk_widget_set_visible(sample, FALSE);
    if (window && gtk_widget_get_realized(window)) {
        gtk_widget_set_parent(sample, window);
        // Only the style of widgets that have been realized follows the theme.
        gtk_widget_realize(sample);
        g_signal_connect_swapped(window, "destroy", G_CALLBACK(gtk_widget_unparent), sample);
    }
    return sample;
}
#endif

/// Stores a colour of the theme, by its name in style sheets without the `@`. Returns whether there is such a colour.
static inline gboolean syrinx_theme_color(GtkWidget *_Nonnull widget, const char *_Nonnull name, GdkRGBA *_Nonnull color) {
#if GTK_CHECK_VERSION(4, 10, 0)
    GtkWidget *sample = syrinx_color_sample(widget, name);
    GdkRGBA half;
    gtk_widget_get_color(sample, &half);
    g_object_unref(sample);
    // With a name that is unknown, GTK takes opaque white.
    if (half.alpha > 0.5f) return FALSE;
    *color = half;
    color->alpha *= 2;
    return TRUE;
#else
    return gtk_style_context_lookup_color(gtk_widget_get_style_context(widget), name, color);
#endif
}

// Windows

/// Makes a `GtkShortcutsWindow` the one that the action `win.show-help-overlay` shows; it goes with the window.
///
/// Call it once for each window. From GTK 4.18 on, shortcuts that have only the name of an action are shown without their keys.
static inline void syrinx_set_help(GtkApplicationWindow *_Nonnull window, GtkWindow *_Nonnull help) {
#if GTK_CHECK_VERSION(4, 18, 0)
    gtk_window_set_modal(help, TRUE);
    gtk_window_set_hide_on_close(help, TRUE);
    gtk_window_set_transient_for(help, GTK_WINDOW(window));
    gtk_window_set_destroy_with_parent(help, TRUE);
    GSimpleAction *action = g_simple_action_new("show-help-overlay", NULL);
    g_signal_connect_object(action, "activate", G_CALLBACK(gtk_window_present), help, G_CONNECT_SWAPPED);
    g_action_map_add_action(G_ACTION_MAP(window), G_ACTION(action));
    g_object_unref(action);
#else
    gtk_application_window_set_help_overlay(window, GTK_SHORTCUTS_WINDOW(help));
#endif
}

// Dialogs for files

/// The kind of file dialog.
typedef enum { SYRINX_FILES_TO_OPEN, SYRINX_FOLDER_TO_OPEN, SYRINX_FILE_TO_SAVE } syrinx_choice;

/// Gets the chosen files as a list of `GFile`, which is valid during the call; null if none have been chosen.
typedef void (*syrinx_choice_handler)(GListModel *_Nullable files, void *_Nonnull data);

/// A dialog that is open.
typedef struct {
    syrinx_choice choice;
    syrinx_choice_handler _Nonnull handler;
    void *_Nonnull data;
} syrinx_open_dialog;

#if GTK_CHECK_VERSION(4, 10, 0)
static inline void syrinx_dialog_closed(GObject *_Nullable dialog, GAsyncResult *_Nonnull result, void *_Nullable data) {
    syrinx_open_dialog *open = (syrinx_open_dialog *)data;
    GtkFileDialog *chooser = GTK_FILE_DIALOG(dialog);
    GListModel *files = NULL;
    if (open->choice == SYRINX_FILES_TO_OPEN) {
        files = gtk_file_dialog_open_multiple_finish(chooser, result, NULL);
    } else {
        GFile *file = open->choice == SYRINX_FOLDER_TO_OPEN ? gtk_file_dialog_select_folder_finish(chooser, result, NULL)
                                                            : gtk_file_dialog_save_finish(chooser, result, NULL);
        if (file) {
            GListStore *list = g_list_store_new(G_TYPE_FILE);
            g_list_store_append(list, file);
            g_object_unref(file);
            files = G_LIST_MODEL(list);
        }
    }
    open->handler(files, open->data);
    g_clear_object(&files);
    g_free(open);
}
#else
static inline void syrinx_dialog_closed(GtkNativeDialog *_Nonnull dialog, int response, void *_Nonnull data) {
    syrinx_open_dialog *open = (syrinx_open_dialog *)data;
    g_signal_handlers_disconnect_by_data(dialog, data);
    GListModel *files = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_files(GTK_FILE_CHOOSER(dialog)) : NULL;
    open->handler(files, open->data);
    g_clear_object(&files);
    gtk_native_dialog_destroy(dialog);
    g_object_unref(dialog);
    g_free(open);
}
#endif

/// Shows a dialog for files in front of a window.
///
/// The handler is called once, with `data`, when the dialog has been closed. `filters` is a list of `GtkFileFilter`, of which the
/// first is in force at first. `name` is the proposed name of a file to save.
static inline void syrinx_choose_files(
    GtkWindow *_Nonnull window, syrinx_choice choice, const char *_Nonnull title, GListModel *_Nullable filters,
    const char *_Nullable name, syrinx_choice_handler _Nonnull handler, void *_Nonnull data
) {
    syrinx_open_dialog *open = g_new(syrinx_open_dialog, 1);
    *open = (syrinx_open_dialog){.choice = choice, .handler = handler, .data = data};
#if GTK_CHECK_VERSION(4, 10, 0)
    GtkFileDialog *dialog = gtk_file_dialog_new();
    gtk_file_dialog_set_title(dialog, title);
    if (filters) gtk_file_dialog_set_filters(dialog, filters);
    if (name) gtk_file_dialog_set_initial_name(dialog, name);
    switch (choice) {
    case SYRINX_FILES_TO_OPEN: gtk_file_dialog_open_multiple(dialog, window, NULL, syrinx_dialog_closed, open); break;
    case SYRINX_FOLDER_TO_OPEN: gtk_file_dialog_select_folder(dialog, window, NULL, syrinx_dialog_closed, open); break;
    case SYRINX_FILE_TO_SAVE: gtk_file_dialog_save(dialog, window, NULL, syrinx_dialog_closed, open); break;
    }
    g_object_unref(dialog);
#else
    GtkFileChooserAction action = GTK_FILE_CHOOSER_ACTION_OPEN;
    if (choice == SYRINX_FOLDER_TO_OPEN) action = GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER;
    if (choice == SYRINX_FILE_TO_SAVE) action = GTK_FILE_CHOOSER_ACTION_SAVE;
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(title, window, action, NULL, NULL);
    GtkFileChooser *chooser = GTK_FILE_CHOOSER(dialog);
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    gtk_file_chooser_set_select_multiple(chooser, choice == SYRINX_FILES_TO_OPEN);
    for (guint index = 0; filters && index < g_list_model_get_n_items(filters); index++) {
        GtkFileFilter *filter = GTK_FILE_FILTER(g_list_model_get_item(filters, index));
        gtk_file_chooser_add_filter(chooser, filter);
        g_object_unref(filter);
    }
    if (name) gtk_file_chooser_set_current_name(chooser, name);
    // The reference is kept until the answer: a native dialog has no other owner.
    g_signal_connect(dialog, "response", G_CALLBACK(syrinx_dialog_closed), open);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
#endif
}
