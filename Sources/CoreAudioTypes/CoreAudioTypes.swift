// The C layouts are this room's public face, so the module that holds them is re-exported.
@_exported public import CSyrinxCoreAudioTypes

/// The success value of every procedure that returns an `OSStatus`.
public let noErr: OSStatus = 0
