// Counts what a thread allocates while it says that it is in real time.
#pragma once
#include <stdint.h>

// Between the two, calls of malloc, calloc, realloc, free and their kin on this thread are counted.
void syrinx_realtime_enter(void);
void syrinx_realtime_exit(void);

// Calls counted on this thread since the last reset.
int64_t syrinx_allocation_count(void);
void syrinx_allocation_reset(void);
