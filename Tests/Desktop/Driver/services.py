"""Stands in for services of the session bus, and writes down how they are called.

    services.py NAME…

    session        org.gnome.SessionManager
    notifications  org.freedesktop.Notifications
    files          org.freedesktop.FileManager1
    appearance     the settings of org.freedesktop.portal.Desktop

It is a process of its own, because it needs a main loop. Each call is a line of JSON on its output, after a line that says that the
names are there. A line `ID KEY` on its input invokes an action of a notification, `scheme 1` turns the desktop dark.
"""

import itertools
import json
import re
import subprocess
import sys
import threading

SESSION = """<node><interface name="org.gnome.SessionManager">
  <method name="Inhibit"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="u" direction="in"/><arg type="u" direction="out"/></method>
  <method name="Uninhibit"><arg type="u" direction="in"/></method>
  <property name="SessionIsActive" type="b" access="read"/>
</interface></node>"""
NOTIFICATIONS = """<node><interface name="org.freedesktop.Notifications">
  <method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>"""
INHIBIT = """<interface name="org.freedesktop.portal.Inhibit">
  <method name="Inhibit"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="a{sv}" direction="in"/>
    <arg type="o" direction="out"/></method>
  <method name="CreateMonitor"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/></method>
</interface>"""
FILES = """<node><interface name="org.freedesktop.FileManager1">
  <method name="ShowItems"><arg type="as" direction="in"/><arg type="s" direction="in"/></method>
</interface></node>"""
APPEARANCE = """<node><interface name="org.freedesktop.portal.Settings">
  <method name="Read"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/></method>
  <method name="ReadAll"><arg type="as" direction="in"/><arg type="a{sa{sv}}" direction="out"/></method>
  <signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
  <property name="version" type="u" access="read"/>
</interface></node>"""
KINDS = {
    "files": ("org.freedesktop.FileManager1", "/org/freedesktop/FileManager1", FILES),
    "appearance": ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", APPEARANCE),
    "session": ("org.gnome.SessionManager", "/org/gnome/SessionManager", SESSION),
    "notifications": ("org.freedesktop.Notifications", "/org/freedesktop/Notifications", NOTIFICATIONS),
}


class Services:
    """The services as a scenario sees them."""

    def __init__(self, *kinds):
        self.calls = []
        self.process = subprocess.Popen(
            [sys.executable, __file__, *kinds], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert json.loads(self.process.stdout.readline()) == ["ready"]
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.calls.append(json.loads(line))

    def named(self, method):
        """Returns the arguments of all calls of a method."""
        return [call[1:] for call in self.calls if call[0] == method]

    def invoke(self, number, action="default"):
        """Does what a click on a notification does."""
        self.write(f"{number} {action}")

    def set_dark(self, is_dark):
        self.write(f"scheme {int(is_dark)}")

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def stop(self):
        self.process.kill()
        self.process.wait()


def main():
    from gi.repository import Gio, GLib

    connection = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    numbers = itertools.count(1)
    lock = threading.Lock()

    def tell(*fields):
        with lock:
            print(json.dumps(fields), flush=True)

    def call(connection, sender, path, interface, method, parameters, invocation):
        arguments = parameters.unpack()
        if method == "Notify":
            # A notification that is replaced keeps its number.
            number = arguments[1] or next(numbers)
            tell(method, number, *arguments[3:5])
            return invocation.return_value(GLib.Variant("(u)", (number,)))
        if method == "ReadAll":
            settings = {"org.freedesktop.appearance": {"color-scheme": GLib.Variant("u", 0)}}
            return invocation.return_value(GLib.Variant("(a{sa{sv}})", (settings,)))
        if method == "Read":
            if arguments != ("org.freedesktop.appearance", "color-scheme"):
                return invocation.return_dbus_error("org.freedesktop.portal.Error.NotFound", "There is no such setting.")
            # A variant in a variant, as the portal answers.
            return invocation.return_value(GLib.Variant("(v)", (GLib.Variant("v", GLib.Variant("u", 0)),)))
        if method == "GetCapabilities":
            return invocation.return_value(GLib.Variant("(as)", (["body", "actions"],)))
        if method == "Inhibit":
            number = next(numbers)
            tell(method, number, arguments[0], arguments[3])
            return invocation.return_value(GLib.Variant("(u)", (number,)))
        tell(method, *arguments)
        invocation.return_value(None)

    def property_value(connection, sender, path, interface, name):
        return GLib.Variant("u", 1) if name == "version" else GLib.Variant("b", True)

    for kind in sys.argv[1:]:
        name, path, description = KINDS[kind]
        interface = Gio.DBusNodeInfo.new_for_xml(description).interfaces[0]
        connection.register_object(path, interface, call, property_value, None)
        connection.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            GLib.Variant("(su)", (name, 0)), None, Gio.DBusCallFlags.NONE, -1, None,
        )
    tell("ready")

    def emit(kind, signal, parameters):
        connection.emit_signal(None, KINDS[kind][1], re.search('interface name="([^"]*)"', KINDS[kind][2])[1], signal, parameters)
        connection.flush_sync(None)

    def follow():
        for line in sys.stdin:
            first, second = line.split()
            if first == "scheme":
                scheme = ("org.freedesktop.appearance", "color-scheme", GLib.Variant("u", int(second)))
                emit("appearance", "SettingChanged", GLib.Variant("(ssv)", scheme))
            else:
                emit("notifications", "ActionInvoked", GLib.Variant("(us)", (int(first), second)))

    threading.Thread(target=follow, daemon=True).start()
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
