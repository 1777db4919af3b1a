#pragma once
#include <alsa/asoundlib.h>
#include <sys/eventfd.h>

// The handler is variadic, which Swift cannot write: this one keeps alsa-lib from writing to standard error.
static inline void syrinx_alsa_ignore_message(
    const char *file, int line, const char *function, int error, const char *format, ...
) {
    (void)file;
    (void)line;
    (void)function;
    (void)error;
    (void)format;
}

static inline void syrinx_alsa_be_silent(void) {
    snd_lib_error_set_handler(syrinx_alsa_ignore_message);
}
