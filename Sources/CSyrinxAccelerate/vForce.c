#include "CSyrinxAccelerate.h"
#include "Vectors.h"

#include <tgmath.h>

#define ABSOLUTE(x) __builtin_elementwise_abs(x)
#define ROOT(x) __builtin_elementwise_sqrt(x)

#define LOOP(name, parameters, passed, ...) \
    INLINE void name##Body parameters { \
        for (int i = 0; i < *n; i++) { \
            __VA_ARGS__ \
        } \
    } \
    DISPATCHED(name, parameters, passed)

#define ONE(type, name, value) \
    LOOP(name, (type * results, const type *xs, const int *n), (results, xs, n), const type x = xs[i]; results[i] = value;)
#define TWO(type, name, value) \
    LOOP( \
        name, (type * results, const type *ys, const type *xs, const int *n), (results, ys, xs, n), \
        const type x = xs[i], y = ys[i]; results[i] = value;)
#define FUNCTION(name, value) ONE(float, vv##name##f, value) ONE(double, vv##name, value)
#define FUNCTION2(name, value) TWO(float, vv##name##f, value) TWO(double, vv##name, value)
#include "vForceTables.h"

#define SPECIAL(type, suffix) \
    LOOP( \
        vvsincos##suffix, (type * sines, type * cosines, const type *xs, const int *n), (sines, cosines, xs, n), \
        const type x = xs[i]; sines[i] = sin(x); cosines[i] = cos(x);) \
    LOOP( \
        vvpows##suffix, (type * results, const type *power, const type *xs, const int *n), (results, power, xs, n), \
        const type x = xs[i]; results[i] = pow(x, *power);)
SPECIAL(float, f)
SPECIAL(double, )
