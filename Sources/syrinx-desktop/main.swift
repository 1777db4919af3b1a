import Foundation
import SyrinxDesktopModel
import SyrinxGLibLoop
import SyrinxGTK

// Before GTK begins, and while there is one thread.
let flags = RendererSettings.debugFlags(ProcessInfo.processInfo.environment)
if let flags { setenv("GDK_DEBUG", flags, 1) }
limitHeaps()
// Synchronous: the main actor runs in GLib's main loop.
GLibLoop.attach()
let app = DesktopApp(environment: ProcessInfo.processInfo.environment)
exit(app.run())
