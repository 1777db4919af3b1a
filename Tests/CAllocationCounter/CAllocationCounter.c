#define _GNU_SOURCE
#include "CAllocationCounter.h"
#include <errno.h>
#include <stddef.h>

// glibc's own entry points, beneath the names that this file takes over for the whole test process.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static __thread int depth;
static __thread int64_t count;

void syrinx_realtime_enter(void) { depth++; }
void syrinx_realtime_exit(void) { depth--; }
int64_t syrinx_allocation_count(void) { return count; }
void syrinx_allocation_reset(void) { count = 0; }

static inline void note(void) {
    if (depth > 0)
        count++;
}

void *malloc(size_t size) { note(); return __libc_malloc(size); }
void *calloc(size_t n, size_t size) { note(); return __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { note(); return __libc_realloc(old, size); }
void free(void *memory) { if (memory) note(); __libc_free(memory); }
void *memalign(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    note();
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *out = memory;
    return 0;
}
