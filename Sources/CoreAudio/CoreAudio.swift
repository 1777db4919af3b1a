// On Apple's systems this module has the types of Core Audio beside the hardware's interface, of which there is none here.
@_exported public import CoreAudioTypes
