#include "CSyrinxCoreAudioTypes.h"

#include <time.h>

UInt64 mach_absolute_time(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (UInt64)now.tv_sec * 1000000000u + (UInt64)now.tv_nsec;
}

kern_return_t mach_timebase_info(mach_timebase_info_t info) {
    info->numer = 1;
    info->denom = 1;
    return KERN_SUCCESS;
}

UInt64 AudioGetCurrentHostTime(void) { return mach_absolute_time(); }

Float64 AudioGetHostClockFrequency(void) { return 1e9; }

UInt32 AudioGetHostClockMinimumTimeDelta(void) { return 1; }

UInt64 AudioConvertHostTimeToNanos(UInt64 inHostTime) { return inHostTime; }

UInt64 AudioConvertNanosToHostTime(UInt64 inNanos) { return inNanos; }
