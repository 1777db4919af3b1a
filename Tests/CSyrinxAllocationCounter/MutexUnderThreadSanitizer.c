// What ThreadSanitizer has to know of Swift's Mutex. Its uncontended path is atomics in the caller's own code, which are seen;
// where threads meet, libswiftSynchronization asks the kernel (a futex with priority inheritance), which is not: what one
// thread leaves in a mutex and the next finds there would be reported as a race, now and then. These two stand before the
// library's functions of the same names, and say who comes after whom.
#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// As Swift calls a method: `self`, the address of the futex, comes in the context register.
#define SELF __attribute__((swift_context)) void *mutex
typedef __attribute__((swiftcall)) void (*lock_slow)(uint32_t thread, SELF);
typedef __attribute__((swiftcall)) void (*unlock_slow)(SELF);

__attribute__((swiftcall)) void mutex_lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
__attribute__((swiftcall)) void mutex_unlock_slow(SELF) __asm__(UNLOCK_SLOW);

static lock_slow library_lock_slow;
static unlock_slow library_unlock_slow;

__attribute__((constructor)) static void find_library(void) {
    library_lock_slow = (lock_slow)dlsym(RTLD_NEXT, LOCK_SLOW);
    library_unlock_slow = (unlock_slow)dlsym(RTLD_NEXT, UNLOCK_SLOW);
    if (!library_lock_slow || !library_unlock_slow) abort();
}

__attribute__((swiftcall)) void mutex_lock_slow(uint32_t thread, SELF) {
    library_lock_slow(thread, mutex);
    __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void mutex_unlock_slow(SELF) {
    __tsan_release(mutex);
    library_unlock_slow(mutex);
}
#endif
