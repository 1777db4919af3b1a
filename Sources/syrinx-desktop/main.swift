import Foundation
import SyrinxDesktopModel
import SyrinxGLibLoop
import SyrinxGTK

// Set the variable before GTK is initialized, and while there is only one thread.
let flags = RendererSettings.debugFlags(ProcessInfo.processInfo.environment)
if let flags { setenv("GDK_DEBUG", flags, 1) }
limitHeaps()
// The main function is synchronous, because the main actor runs in GLib's main loop.
GLibLoop.attach()
let app = DesktopApp(environment: ProcessInfo.processInfo.environment)
exit(app.run())
