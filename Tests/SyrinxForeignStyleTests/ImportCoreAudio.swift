import CoreAudio

enum ImportCoreAudio {
    /// Seconds of the clock of time stamps.
    static func seconds() -> Double {
        var timebase = mach_timebase_info_data_t()
        mach_timebase_info(&timebase)
        var other = mach_timebase_info()
        guard mach_timebase_info(&other) == KERN_SUCCESS, other.numer == timebase.numer else { return 0 }
        return Double(mach_absolute_time()) * Double(timebase.numer) / Double(timebase.denom) / 1e9
    }

    static func list() -> AudioBufferList { AudioBufferList() }
}
