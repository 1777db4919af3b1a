// Code written for Apple's systems imports this one name and finds the engine, the procedural interface, their types,
// Foundation and Dispatch.
@_exported public import AVFAudio
@_exported public import AudioToolbox
@_exported public import CoreAudioTypes
@_exported public import CoreMedia
@_exported public import Dispatch
@_exported public import Foundation
