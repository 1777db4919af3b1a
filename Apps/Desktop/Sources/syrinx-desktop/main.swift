import Foundation
import GLibLoop
import GTK

// Synchronous: the main actor runs in GLib's main loop.
GLibLoop.attach()
let app = DesktopApp(environment: ProcessInfo.processInfo.environment)
exit(app.run(CommandLine.arguments))
