// The lock of Apple's systems that a thread of higher priority can wait for without harm: there a part of the module os. Included by
// CSyrinxCoreAudioTypes.h.
#pragma once
#include <stdbool.h>

// Unlocked when all bytes are 0. It has to stay at one address.
typedef struct os_unfair_lock_s {
    uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, *os_unfair_lock_t;

// Takes the lock, and waits for it if another thread has it, which runs with the highest priority of those that wait meanwhile.
// A thread that has the lock already ends the process.
void os_unfair_lock_lock(os_unfair_lock_t _Nonnull lock);

// Takes the lock if no thread has it; returns whether it did.
bool os_unfair_lock_trylock(os_unfair_lock_t _Nonnull lock);

// Gives the lock back. A thread that does not have it ends the process.
void os_unfair_lock_unlock(os_unfair_lock_t _Nonnull lock);

// Ends the process if the calling thread does not have the lock.
void os_unfair_lock_assert_owner(const os_unfair_lock *_Nonnull lock);

// Ends the process if the calling thread has the lock.
void os_unfair_lock_assert_not_owner(const os_unfair_lock *_Nonnull lock);
