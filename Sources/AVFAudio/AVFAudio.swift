// Code that imports the engine alone finds the types that it speaks of.
@_exported public import CoreAudioTypes
@_exported public import Foundation
