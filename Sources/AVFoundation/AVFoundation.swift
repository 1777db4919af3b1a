// Code written for Apple's systems imports this one name and finds the engine, its types and Foundation.
@_exported public import AVFAudio
@_exported public import CoreAudioTypes
@_exported public import Foundation
