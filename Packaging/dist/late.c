// The functions of libraries that the one file of `make dist` loads when they are first called.
//
// scripts/dist makes an assembly file with a function of each name, which asks here once where the real one is. A library that
// is missing has functions that return 0: each part of Syrinx that uses such a library takes that for a failure to set it up.

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static long syrinx_late_missing(void) { return 0; }

// The answer of pa_strerror and snd_strerror.
static const char *syrinx_late_reason(void) { return "the library for it is not installed"; }

// Returns the function's address, never NULL. Any thread may call it: the same answer is only stored twice.
__attribute__((visibility("hidden"))) void *syrinx_late_find(const char *library, const char *function) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *found = handle == NULL ? NULL : dlsym(handle, function);
    if (found != NULL) return found;
    return strstr(function, "strerror") == NULL ? (void *)syrinx_late_missing : (void *)syrinx_late_reason;
}
