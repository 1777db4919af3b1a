#include "CSyrinxAccelerate.h"
#include "Vectors.h"

#include <limits.h>
#include <math.h>

// A loop for strides of 1, which the compiler makes vectors of, and one for others. `a` is an element of A.
#define CONVERSION(name, from, to, x) \
    INLINE void name##Body(const from *__A, vDSP_Stride __IA, to *__C, vDSP_Stride __IC, vDSP_Length __N) { \
        if (__IA == 1 && __IC == 1) { \
            for (vDSP_Length n = 0; n < __N; n++) { \
                const from a = __A[n]; \
                __C[n] = x; \
            } \
        } else { \
            for (vDSP_Length n = 0; n < __N; n++) { \
                const from a = __A[(ptrdiff_t)n * __IA]; \
                __C[(ptrdiff_t)n * __IC] = x; \
            } \
        } \
    } \
    DISPATCHED( \
        name, (const from *__A, vDSP_Stride __IA, to *__C, vDSP_Stride __IC, vDSP_Length __N), (__A, __IA, __C, __IC, __N))

// The nearest whole number. What is as great as the shift has no fraction; what is less loses it in the sum.
INLINE float nearestFloat(float a) {
    const float shift = copysignf(0x1p23f, a);
    return fabsf(a) < 0x1p23f ? (a + shift) - shift : a;
}
INLINE double nearestDouble(double a) {
    const double shift = copysign(0x1p52, a);
    return fabs(a) < 0x1p52 ? (a + shift) - shift : a;
}

// The number within the limits of `to`, by way of the type that the processor converts to; 0 for what is not a number.
#define INTEGER(to, via, least, greatest, a) \
    ((a) >= (__typeof__(a))((greatest) + 1.0) ? (to)(greatest) \
     : (a) > (__typeof__(a))(least)           ? (to)(via)(a) \
     : (a) == (a)                             ? (to)(least) \
                                              : (to)0)

CONVERSION(vDSP_vspdp, float, double, a)
CONVERSION(vDSP_vdpsp, double, float, (float)a)

#define CONVERSIONS(type, via, suffix, least, greatest) \
    CONVERSION(vDSP_vflt##suffix, type, float, (float)a) \
    CONVERSION(vDSP_vflt##suffix##D, type, double, (double)a) \
    CONVERSION(vDSP_vfix##suffix, float, type, INTEGER(type, via, least, greatest, a)) \
    CONVERSION(vDSP_vfix##suffix##D, double, type, INTEGER(type, via, least, greatest, a)) \
    CONVERSION(vDSP_vfixr##suffix, float, type, INTEGER(type, via, least, greatest, nearestFloat(a))) \
    CONVERSION(vDSP_vfixr##suffix##D, double, type, INTEGER(type, via, least, greatest, nearestDouble(a)))
CONVERSIONS(signed char, int, 8, -128, 127)
CONVERSIONS(short, int, 16, -32768, 32767)
CONVERSIONS(int, int, 32, -2147483648.0, 2147483647)
CONVERSIONS(unsigned char, int, u8, 0, 255)
CONVERSIONS(unsigned short, int, u16, 0, 65535)
CONVERSIONS(unsigned int, long long, u32, 0, 4294967295)

// Three bytes, the least significant first.
#define BYTES(a) ((uint32_t)(a).bytes[0] << 8 | (uint32_t)(a).bytes[1] << 16 | (uint32_t)(a).bytes[2] << 24)
CONVERSION(vDSP_vflt24, vDSP_int24, float, (float)((int32_t)BYTES(a) >> 8))
CONVERSION(vDSP_vfltu24, vDSP_uint24, float, (float)(BYTES(a) >> 8))
