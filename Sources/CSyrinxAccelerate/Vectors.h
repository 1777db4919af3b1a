// The widest vectors that the processor has: AVX2 where it is present, else those of every processor of the architecture.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define WIDE_VECTORS 1
#define WIDE_TARGET __attribute__((target("avx2,fma")))
// Thirty-two registers of the same width, of which the Fourier transforms make use.
#define MORE_TARGET __attribute__((target("avx512f,avx512vl,avx512dq,avx2,fma")))
INLINE bool hasWideVectors(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
INLINE bool hasMoreVectors(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           hasWideVectors();
}
#else
INLINE bool hasWideVectors(void) { return false; }
#endif

// Defines a function whose body is compiled for every processor and for wide vectors, and chosen when it is called.
// The body is a function that is inlined into both.
#define DISPATCHED(...) DISPATCHED_NAMED(__VA_ARGS__)
#if defined(WIDE_VECTORS)
#define DISPATCHED_NAMED(name, parameters, arguments) \
    WIDE_TARGET static void name##Wide parameters { name##Body arguments; } \
    void name parameters { \
        if (hasWideVectors()) \
            name##Wide arguments; \
        else \
            name##Body arguments; \
    }
#else
#define DISPATCHED_NAMED(name, parameters, arguments) \
    void name parameters { name##Body arguments; }
#endif

// The name of such a body.
#define BODY(name) BODY_NAMED(name)
#define BODY_NAMED(name) name##Body
