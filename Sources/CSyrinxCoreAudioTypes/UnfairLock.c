#include "CSyrinxCoreAudioTypes.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// The word of a lock is what the kernel's locks with priority inheritance have: 0, or the number of the thread that has it, with a bit
// that others wait. The kernel is called only if they do.

static _Thread_local uint32_t known_thread = 0;

static uint32_t this_thread(void) {
    if (known_thread == 0) { known_thread = (uint32_t)syscall(SYS_gettid); }
    return known_thread;
}

// The thread of a forked process has another number than the one that it is a copy of.
static void forget_thread(void) { known_thread = 0; }

__attribute__((constructor)) static void prepare_for_forks(void) { pthread_atfork(NULL, NULL, forget_thread); }

static _Noreturn void misuse(const char *sentence) {
    fprintf(stderr, "os_unfair_lock: %s\n", sentence);
    abort();
}

static uint32_t owner(const os_unfair_lock *lock) {
    return __atomic_load_n(&lock->_os_unfair_lock_opaque, __ATOMIC_RELAXED) & FUTEX_TID_MASK;
}

static long call(os_unfair_lock_t lock, int operation) {
    return syscall(SYS_futex, &lock->_os_unfair_lock_opaque, operation | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, 0);
}

bool os_unfair_lock_trylock(os_unfair_lock_t lock) {
    uint32_t unlocked = 0;
    return __atomic_compare_exchange_n(
        &lock->_os_unfair_lock_opaque, &unlocked, this_thread(), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void os_unfair_lock_lock(os_unfair_lock_t lock) {
    while (!os_unfair_lock_trylock(lock)) {
        if (owner(lock) == this_thread()) { misuse("the thread has the lock already"); }
        if (call(lock, FUTEX_LOCK_PI) == 0) {
            // The kernel has written the word: what the last owner did comes before.
            __atomic_load_n(&lock->_os_unfair_lock_opaque, __ATOMIC_ACQUIRE);
            return;
        }
        // The owner is ending, or the kernel has no such locks.
        if (errno == EDEADLK) { misuse("the thread has the lock already"); }
        sched_yield();
    }
}

void os_unfair_lock_unlock(os_unfair_lock_t lock) {
    uint32_t own = this_thread();
    if (__atomic_compare_exchange_n(
            &lock->_os_unfair_lock_opaque, &own, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
        return;
    }
    if (owner(lock) != this_thread()) { misuse("the thread does not have the lock"); }
    __atomic_fetch_or(&lock->_os_unfair_lock_opaque, 0, __ATOMIC_RELEASE);
    while (call(lock, FUTEX_UNLOCK_PI) != 0) {
        if (errno != EINTR && errno != EAGAIN) { misuse("the lock is damaged"); }
    }
}

void os_unfair_lock_assert_owner(const os_unfair_lock *lock) {
    if (owner(lock) != this_thread()) { misuse("the thread does not have the lock"); }
}

void os_unfair_lock_assert_not_owner(const os_unfair_lock *lock) {
    if (owner(lock) == this_thread()) { misuse("the thread has the lock"); }
}
