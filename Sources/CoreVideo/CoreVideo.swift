// Pictures in memory. The names of Core Foundation are part of the interface, and Core Media takes them from here.
@_exported public import CoreAudioTypes
@_exported public import Foundation
