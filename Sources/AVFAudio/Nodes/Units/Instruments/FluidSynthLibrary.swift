import Foundation
import Glibc
import Synchronization

/// The functions of FluidSynth, which are looked up at run time.
///
/// Building does not require its headers, and programs that play no sound bank do not require the library.
struct FluidSynthLibrary: Sendable {
    typealias Object = UnsafeMutableRawPointer
    typealias Make = @convention(c) () -> Object?
    typealias MakeSynth = @convention(c) (Object) -> Object?
    typealias Delete = @convention(c) (Object) -> Void
    typealias SetNumber = @convention(c) (Object, UnsafePointer<CChar>, Double) -> Int32
    typealias SetInteger = @convention(c) (Object, UnsafePointer<CChar>, Int32) -> Int32
    typealias Load = @convention(c) (Object, UnsafePointer<CChar>, Int32) -> Int32
    typealias Find = @convention(c) (Object, Int32) -> Object?
    typealias Next = @convention(c) (Object) -> Object?
    typealias Ask = @convention(c) (Object) -> Int32
    typealias One = @convention(c) (Object, Int32) -> Int32
    typealias Two = @convention(c) (Object, Int32, Int32) -> Int32
    typealias Three = @convention(c) (Object, Int32, Int32, Int32) -> Int32
    typealias Four = @convention(c) (Object, Int32, Int32, Int32, Int32) -> Int32
    typealias SetGenerator = @convention(c) (Object, Int32, Int32, Float) -> Int32
    typealias Write =
        @convention(c) (Object, Int32, UnsafeMutableRawPointer, Int32, Int32, UnsafeMutableRawPointer, Int32, Int32) ->
        Int32
    typealias SetLog = @convention(c) (Int32, UnsafeRawPointer?, UnsafeRawPointer?) -> UnsafeRawPointer?

    let makeSettings: Make
    let deleteSettings: Delete
    let setNumber: SetNumber
    let setInteger: SetInteger
    let makeSynth: MakeSynth
    let deleteSynth: Delete
    let load: Load
    let findFont: Find
    let beginPresets: Delete
    let nextPreset: Next
    let bank: Ask
    let program: Ask
    let select: Four
    let changeProgram: Two
    let noteOn: Three
    let noteOff: Two
    let control: Three
    let bend: Two
    let pressure: Two
    let keyPressure: Three
    let setGenerator: SetGenerator
    let endSounds: One
    let write: Write

    /// The name of the library that installations have.
    static let defaultName = "libfluidsynth.so.3"

    private static let libraries = Mutex<[String: FluidSynthLibrary]>([:])

    /// Returns the library of a name, which is loaded once and stays.
    /// - Throws: `AVMIDIError` with `.synthesizerMissing`.
    static func named(_ name: String) throws(AVMIDIError) -> FluidSynthLibrary {
        if let known = libraries.withLock({ $0[name] }) { return known }
        guard let library = FluidSynthLibrary(name) else {
            throw AVMIDIError(
                .synthesizerMissing,
                "Sound banks need FluidSynth, but \(name) cannot be loaded: "
                    + "install it, on Debian and Ubuntu by 'apt install libfluidsynth3'."
            )
        }
        libraries.withLock { $0[name] = library }
        return library
    }

    private init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
        // The types follow the documentation of FluidSynth 2.
        func function<Function>(_ name: String, _: Function.Type) -> Function? {
            dlsym(handle, "fluid_" + name).map { unsafeBitCast($0, to: Function.self) }
        }
        func plain<Function>(_ name: String, _: Function.Type) -> Function? {
            dlsym(handle, name).map { unsafeBitCast($0, to: Function.self) }
        }
        guard let makeSettings = plain("new_fluid_settings", Make.self),
            let deleteSettings = plain("delete_fluid_settings", Delete.self),
            let setNumber = function("settings_setnum", SetNumber.self),
            let setInteger = function("settings_setint", SetInteger.self),
            let makeSynth = plain("new_fluid_synth", MakeSynth.self),
            let deleteSynth = plain("delete_fluid_synth", Delete.self),
            let load = function("synth_sfload", Load.self),
            let findFont = function("synth_get_sfont_by_id", Find.self),
            let beginPresets = function("sfont_iteration_start", Delete.self),
            let nextPreset = function("sfont_iteration_next", Next.self),
            let bank = function("preset_get_banknum", Ask.self),
            let program = function("preset_get_num", Ask.self),
            let select = function("synth_program_select", Four.self),
            let changeProgram = function("synth_program_change", Two.self),
            let noteOn = function("synth_noteon", Three.self),
            let noteOff = function("synth_noteoff", Two.self),
            let control = function("synth_cc", Three.self),
            let bend = function("synth_pitch_bend", Two.self),
            let pressure = function("synth_channel_pressure", Two.self),
            let keyPressure = function("synth_key_pressure", Three.self),
            let setGenerator = function("synth_set_gen", SetGenerator.self),
            let endSounds = function("synth_all_sounds_off", One.self),
            let write = function("synth_write_float", Write.self),
            let setLog = function("set_log_function", SetLog.self)
        else {
            dlclose(handle)
            return nil
        }
        (self.makeSettings, self.deleteSettings) = (makeSettings, deleteSettings)
        (self.setNumber, self.setInteger) = (setNumber, setInteger)
        (self.makeSynth, self.deleteSynth, self.load) = (makeSynth, deleteSynth, load)
        (self.findFont, self.beginPresets, self.nextPreset) = (findFont, beginPresets, nextPreset)
        (self.bank, self.program, self.select) = (bank, program, select)
        (self.changeProgram, self.noteOn, self.noteOff) = (changeProgram, noteOn, noteOff)
        (self.control, self.bend, self.pressure, self.keyPressure) = (control, bend, pressure, keyPressure)
        (self.setGenerator, self.endSounds, self.write) = (setGenerator, endSounds, write)
        // FluidSynth would log to standard error, also from the render thread.
        for level in 0..<5 { _ = setLog(Int32(level), nil, nil) }
    }
}
