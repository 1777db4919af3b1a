// The C layouts are part of this module's public interface, so their module is re-exported.
@_exported public import CSyrinxCoreAudioTypes

/// The success value of every procedure that returns an `OSStatus`.
public let noErr: OSStatus = 0
