#define _GNU_SOURCE
#include "CSyrinxAllocationCounter.h"
#include <errno.h>
#include <malloc.h>
#include <stddef.h>

// glibc's own entry points, beneath the names that this file takes over for the whole test process.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// A sanitizer's own, where one is linked in: they have to see every call.
#define SANITIZED(result, name, ...) extern result __interceptor_##name(__VA_ARGS__) __attribute__((weak))
SANITIZED(void *, malloc, size_t);
SANITIZED(void *, calloc, size_t, size_t);
SANITIZED(void *, realloc, void *, size_t);
SANITIZED(void *, memalign, size_t, size_t);
SANITIZED(void, free, void *);
#define CALL(name, ...) (__interceptor_##name ? __interceptor_##name(__VA_ARGS__) : __libc_##name(__VA_ARGS__))

extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));

// What is below runs before a sanitizer has set up what its checks need.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

static __thread int depth;
static __thread int64_t count;

static __thread bool measures;
static __thread int64_t held;
static __thread int64_t peak;

void syrinx_counting_enter(void) { depth++; }
void syrinx_counting_exit(void) { depth--; }
int64_t syrinx_allocation_count(void) { return count; }
void syrinx_allocation_reset(void) { count = 0; }

void syrinx_memory_begin(void) { held = 0; peak = 0; measures = true; }
int64_t syrinx_memory_end(void) { measures = false; return peak; }

bool syrinx_is_realtime_sanitized(void) { return __rtsan_realtime_enter != NULL; }
void syrinx_realtime_enter(void) { if (__rtsan_realtime_enter) __rtsan_realtime_enter(); }
void syrinx_realtime_exit(void) { if (__rtsan_realtime_exit) __rtsan_realtime_exit(); }

#if __has_feature(address_sanitizer)
// LeakSanitizer leaves out what the dynamic loader has, because the loader's own memory, which points to it, is not looked
// through. It knows it by who called malloc, and that is this file.
const char *__lsan_default_suppressions(void) { return "leak:_dl_map_object_deps\n"; }
#endif

int64_t syrinx_heap_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
}

static inline void note(void) {
    if (depth > 0)
        count++;
}

static inline void *taken(void *memory) {
    if (measures && memory) {
        held += (int64_t)malloc_usable_size(memory);
        if (held > peak) peak = held;
    }
    return memory;
}

static inline void given(void *memory) {
    if (measures && memory) held -= (int64_t)malloc_usable_size(memory);
}

void *malloc(size_t size) { note(); return taken(CALL(malloc, size)); }
void *calloc(size_t n, size_t size) { note(); return taken(CALL(calloc, n, size)); }
void *realloc(void *old, size_t size) {
    note();
    int64_t former = measures && old ? (int64_t)malloc_usable_size(old) : 0;
    void *memory = CALL(realloc, old, size);
    if (memory || size == 0) held -= former;
    return taken(memory);
}
void free(void *memory) { if (memory) note(); given(memory); CALL(free, memory); }
void *memalign(size_t alignment, size_t size) { note(); return taken(CALL(memalign, alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { note(); return taken(CALL(memalign, alignment, size)); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    note();
    void *memory = taken(CALL(memalign, alignment, size));
    if (!memory) return ENOMEM;
    *out = memory;
    return 0;
}

#pragma clang attribute pop
