"""A window of another program, from which files or links are dragged.

    dragsource.py TYPE TEXT    the MIME type, such as text/uri-list, and what is dragged
"""

import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk

kind, text = sys.argv[1:]


def show(app):
    window = Gtk.ApplicationWindow(application=app, title="drag source", default_width=240, default_height=160)
    label = Gtk.Label(label="Drag", hexpand=True, vexpand=True)
    source = Gtk.DragSource(actions=Gdk.DragAction.COPY)
    source.connect("prepare", lambda *_: Gdk.ContentProvider.new_for_bytes(kind, GLib.Bytes.new(text.encode())))
    label.add_controller(source)
    window.set_child(label)
    window.present()


application = Gtk.Application()
application.connect("activate", show)
application.run(None)
