// Memory that a setup keeps for one call at a time. A call that finds it taken allocates its own, so that calls from several
// threads do not wait, and calls from one thread do not allocate.
#pragma once
#include "Vectors.h"

#include <stdatomic.h>
#include <stdlib.h>

struct scratch {
    _Atomic(void *) memory;
    size_t size;
};

INLINE void *allocateAligned(size_t size) {
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

// False if there is no memory.
INLINE bool prepareScratch(struct scratch *scratch, size_t size) {
    scratch->size = size;
    scratch->memory = allocateAligned(size);
    return scratch->memory != NULL;
}

// NULL if it is taken and there is no other memory.
INLINE void *takeScratch(struct scratch *scratch) {
    void *memory = atomic_exchange_explicit(&scratch->memory, NULL, memory_order_acquire);
    return memory ? memory : allocateAligned(scratch->size);
}

INLINE void returnScratch(struct scratch *scratch, void *memory) {
    free(atomic_exchange_explicit(&scratch->memory, memory, memory_order_acq_rel));
}
