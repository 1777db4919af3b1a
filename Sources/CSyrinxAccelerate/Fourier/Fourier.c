#include "Fourier.h"
#include "../Scratch.h"
#include "../Vectors.h"

#include <math.h>

// Between buffers, so that their beginnings do not share a set of the cache: 64 numbers.
#define PADDING ((size_t)64)
// From this number of bytes of real parts on a transform goes by blocks: its passes would leave the first cache.
#define LONG_TRANSFORM ((size_t)32768)

#define HALF ((REAL)0.5)
#define DIAGONAL ((REAL)0.707106781186547524400844362104849039)
#define SINE3 ((REAL)0.866025403784438646763723170752936183)
#define COSINE5 ((REAL)0.309016994374947424102293417182819059)
#define COSINE52 ((REAL)-0.809016994374947424102293417182819059)
#define SINE5 ((REAL)0.951056516295153572116439333379382143)
#define SINE52 ((REAL)0.587785252292473129168705954639072769)

struct point {
    double cosine, sine;
};

// The factor e^(-2 pi i number / whole), from an angle below an eighth of a circle.
static struct point turned(size_t number, size_t whole) {
    const double pi = 3.14159265358979323846264338327950288;
    // In eighths of a circle, `whole` to each.
    const size_t place = number % whole * 8, eighth = place / whole;
    const size_t rest = eighth % 2 ? whole - place % whole : place % whole;
    const double angle = (double)rest / (double)whole * (pi / 4);
    const double near = cos(angle), far = sin(angle);
    switch (eighth) {
    case 0: return (struct point){near, -far};
    case 1: return (struct point){far, -near};
    case 2: return (struct point){-far, -near};
    case 3: return (struct point){-near, -far};
    case 4: return (struct point){-near, far};
    case 5: return (struct point){-far, near};
    case 6: return (struct point){far, near};
    default: return (struct point){near, far};
    }
}

static bool isSupported(size_t length) {
    if (length == 0 || length > syrinx_fourier_limit) return false;
    while (length % 2 == 0) length /= 2;
    while (length % 3 == 0) length /= 3;
    while (length % 5 == 0) length /= 5;
    return length == 1;
}

// MARK: Float

#define REAL float
#define PLAN syrinx_fourier_float
#define TYPED(name) name##_float
#define SINGLE(name) name##_float1
#define NARROW(name) name##_float4
#define WIDE(name) name##_float8
#define MORE(name) name##_float8more
#define NARROWEST 4
#define WIDEST 8
#include "instances.h"

// MARK: Double

#define REAL double
#define PLAN syrinx_fourier_double
#define TYPED(name) name##_double
#define SINGLE(name) name##_double1
#define NARROW(name) name##_double2
#define WIDE(name) name##_double4
#define MORE(name) name##_double4more
#define NARROWEST 2
#define WIDEST 4
#include "instances.h"
