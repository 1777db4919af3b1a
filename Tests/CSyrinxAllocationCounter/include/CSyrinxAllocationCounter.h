// Counts what a thread allocates while it says that it is in real time.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Between the two, calls of malloc, calloc, realloc, free and their kin on this thread are counted.
void syrinx_counting_enter(void);
void syrinx_counting_exit(void);

// Between the two, RealtimeSanitizer reports what has no place on a render thread, if it is linked in.
void syrinx_realtime_enter(void);
void syrinx_realtime_exit(void);
bool syrinx_is_realtime_sanitized(void);

// Calls counted on this thread since the last reset.
int64_t syrinx_allocation_count(void);
void syrinx_allocation_reset(void);

// Bytes that the process has allocated and not freed.
int64_t syrinx_heap_bytes(void);

// Between the two, the memory that this thread allocates and has not freed is measured; the end returns the most there was, in bytes.
void syrinx_memory_begin(void);
int64_t syrinx_memory_end(void);
