// The clock that time stamps are counted by: on Apple's systems a part of Darwin. Included by CSyrinxCoreAudioTypes.h.
#pragma once

typedef int kern_return_t;

static const kern_return_t KERN_SUCCESS = 0;

// Nanoseconds are `numer / denom` ticks.
struct mach_timebase_info {
    UInt32 numer;
    UInt32 denom;
};
typedef struct mach_timebase_info *mach_timebase_info_t;
typedef struct mach_timebase_info mach_timebase_info_data_t;

// Ticks of the monotonic clock, which are nanoseconds.
UInt64 mach_absolute_time(void);

// Units of time, as numbers of the next.
#ifndef NSEC_PER_SEC
#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_USEC 1000ull
#define USEC_PER_SEC 1000000ull
#endif

// A tick is a nanosecond: 1 and 1.
kern_return_t mach_timebase_info(mach_timebase_info_t _Nonnull info);

UInt64 AudioGetCurrentHostTime(void);
Float64 AudioGetHostClockFrequency(void);
UInt32 AudioGetHostClockMinimumTimeDelta(void);
UInt64 AudioConvertHostTimeToNanos(UInt64 inHostTime);
UInt64 AudioConvertNanosToHostTime(UInt64 inNanos);
