// The rows of vDSPTables.h that give a vector, for one type of numbers: REAL, in vectors NUMBERS of LANES.

#define ABSOLUTE(x) __builtin_elementwise_abs(x)
#define TRUNCATED(x) __builtin_elementwise_trunc(x)
#define ROOT(x) __builtin_elementwise_sqrt(x)

typedef REAL NUMBERS __attribute__((ext_vector_type(LANES), aligned(sizeof(REAL)), may_alias));

// The element n of a vector argument, in a loop over vectors and in one over numbers; the number that a pointer points to;
// and the places of a result.
#define TAKE(letter, name) const NUMBERS name = *(const NUMBERS *)(__##letter + n);
#define TAKE1(letter, name) const REAL name = __##letter[(ptrdiff_t)n * __I##letter];
#define SAME(letter, name) const NUMBERS name = (NUMBERS)(number##letter);
#define SAME1(letter, name) const REAL name = number##letter;
#define KEEP(letter) const REAL number##letter = *__##letter;
#define GIVE(letter, x) *(NUMBERS *)(__##letter + n) = x;
#define GIVE1(letter, x) __##letter[(ptrdiff_t)n * __I##letter] = x;
#define TAKEZ(letter, name) \
    const NUMBERS name##r = *(const NUMBERS *)(__##letter->realp + n), name##i = *(const NUMBERS *)(__##letter->imagp + n);
#define TAKEZ1(letter, name) \
    const REAL name##r = __##letter->realp[(ptrdiff_t)n * __I##letter], name##i = __##letter->imagp[(ptrdiff_t)n * __I##letter];
#define GIVEZ(letter, re, im) \
    const NUMBERS real = re, imaginary = im; \
    *(NUMBERS *)(__##letter->realp + n) = real, *(NUMBERS *)(__##letter->imagp + n) = imaginary;
#define GIVEZ1(letter, re, im) \
    const REAL real = re, imaginary = im; \
    __##letter->realp[(ptrdiff_t)n * __I##letter] = real, __##letter->imagp[(ptrdiff_t)n * __I##letter] = imaginary;

// A loop over vectors where all strides are 1, and one over numbers for the rest. All elements of a turn are read before one
// is written, so that results may replace arguments.
#define FUNCTION(family, name, kept, strides, vectors, numbers) \
    INLINE void BODY(VDSP(name))(VDSP_PARAMETERS_##family) { \
        kept \
        vDSP_Length n = 0; \
        if (strides) { \
            const NUMBERS ZERO = 0; \
            (void)ZERO; \
            for (; __N - n >= LANES; n += LANES) { vectors } \
        } \
        const REAL ZERO = 0; \
        (void)ZERO; \
        _Pragma("clang loop vectorize(disable) unroll(disable)") for (; n < __N; n++) { numbers } \
    } \
    DISPATCHED(VDSP(name), (VDSP_PARAMETERS_##family), (VDSP_ARGUMENTS_##family))

#define ROW_V(name, x) \
    FUNCTION(V, name, , __IA == 1 && __IC == 1, \
        TAKE(A, a) GIVE(C, x), \
        TAKE1(A, a) GIVE1(C, x))
#define ROW_VS(name, x) \
    FUNCTION(VS, name, KEEP(B), __IA == 1 && __IC == 1, \
        TAKE(A, a) SAME(B, b) GIVE(C, x), \
        TAKE1(A, a) SAME1(B, b) GIVE1(C, x))
#define ROW_SV(name, x) \
    FUNCTION(SV, name, KEEP(A), __IB == 1 && __IC == 1, \
        SAME(A, a) TAKE(B, b) GIVE(C, x), \
        SAME1(A, a) TAKE1(B, b) GIVE1(C, x))
#define ROW_VSS(name, x) \
    FUNCTION(VSS, name, KEEP(B) KEEP(C), __IA == 1 && __ID == 1, \
        TAKE(A, a) SAME(B, b) SAME(C, c) GIVE(D, x), \
        TAKE1(A, a) SAME1(B, b) SAME1(C, c) GIVE1(D, x))
#define ROW_VV(name, x) \
    FUNCTION(VV, name, , __IA == 1 && __IB == 1 && __IC == 1, \
        TAKE(A, a) TAKE(B, b) GIVE(C, x), \
        TAKE1(A, a) TAKE1(B, b) GIVE1(C, x))
#define ROW_VVS(name, x) \
    FUNCTION(VVS, name, KEEP(C), __IA == 1 && __IB == 1 && __ID == 1, \
        TAKE(A, a) TAKE(B, b) SAME(C, c) GIVE(D, x), \
        TAKE1(A, a) TAKE1(B, b) SAME1(C, c) GIVE1(D, x))
#define ROW_VSV(name, x) \
    FUNCTION(VSV, name, KEEP(B), __IA == 1 && __IC == 1 && __ID == 1, \
        TAKE(A, a) SAME(B, b) TAKE(C, c) GIVE(D, x), \
        TAKE1(A, a) SAME1(B, b) TAKE1(C, c) GIVE1(D, x))
#define ROW_VVV(name, x) \
    FUNCTION(VVV, name, , __IA == 1 && __IB == 1 && __IC == 1 && __ID == 1, \
        TAKE(A, a) TAKE(B, b) TAKE(C, c) GIVE(D, x), \
        TAKE1(A, a) TAKE1(B, b) TAKE1(C, c) GIVE1(D, x))
#define ROW_VSVS(name, x) \
    FUNCTION(VSVS, name, KEEP(B) KEEP(D), __IA == 1 && __IC == 1 && __IE == 1, \
        TAKE(A, a) SAME(B, b) TAKE(C, c) SAME(D, d) GIVE(E, x), \
        TAKE1(A, a) SAME1(B, b) TAKE1(C, c) SAME1(D, d) GIVE1(E, x))
#define ROW_VVVV(name, x) \
    FUNCTION(VVVV, name, , __IA == 1 && __IB == 1 && __IC == 1 && __ID == 1 && __IE == 1, \
        TAKE(A, a) TAKE(B, b) TAKE(C, c) TAKE(D, d) GIVE(E, x), \
        TAKE1(A, a) TAKE1(B, b) TAKE1(C, c) TAKE1(D, d) GIVE1(E, x))
#define ROW_Z(name, re, im) \
    FUNCTION(Z, name, , __IA == 1 && __IC == 1, \
        TAKEZ(A, a) GIVEZ(C, re, im), \
        TAKEZ1(A, a) GIVEZ1(C, re, im))
#define ROW_ZZ(name, re, im) \
    FUNCTION(ZZ, name, , __IA == 1 && __IB == 1 && __IC == 1, \
        TAKEZ(A, a) TAKEZ(B, b) GIVEZ(C, re, im), \
        TAKEZ1(A, a) TAKEZ1(B, b) GIVEZ1(C, re, im))
#define ROW_ZZZ(name, re, im) \
    FUNCTION(ZZZ, name, , __IA == 1 && __IB == 1 && __IC == 1 && __ID == 1, \
        TAKEZ(A, a) TAKEZ(B, b) TAKEZ(C, c) GIVEZ(D, re, im), \
        TAKEZ1(A, a) TAKEZ1(B, b) TAKEZ1(C, c) GIVEZ1(D, re, im))
#define ROW_ZV(name, re, im) \
    FUNCTION(ZV, name, , __IA == 1 && __IB == 1 && __IC == 1, \
        TAKEZ(A, a) TAKE(B, b) GIVEZ(C, re, im), \
        TAKEZ1(A, a) TAKE1(B, b) GIVEZ1(C, re, im))
#define ROW_MAGNITUDE(name, x) \
    FUNCTION(MAGNITUDE, name, , __IA == 1 && __IC == 1, \
        TAKEZ(A, a) GIVE(C, x), \
        TAKEZ1(A, a) GIVE1(C, x))

// The sums have a file of their own.
#define ROW_SUM(name, start, x, join, end)
#define ROW_SUM2(name, start, x, join, end)
#define ROW_PLACE(name, start, x, join)

#include "vDSPTables.h"

#undef ABSOLUTE
#undef TRUNCATED
#undef ROOT
#undef TAKE
#undef TAKE1
#undef SAME
#undef SAME1
#undef KEEP
#undef GIVE
#undef GIVE1
#undef TAKEZ
#undef TAKEZ1
#undef GIVEZ
#undef GIVEZ1
#undef FUNCTION
#undef ROW_V
#undef ROW_VS
#undef ROW_SV
#undef ROW_VSS
#undef ROW_VV
#undef ROW_VVS
#undef ROW_VSV
#undef ROW_VVV
#undef ROW_VSVS
#undef ROW_VVVV
#undef ROW_Z
#undef ROW_ZZ
#undef ROW_ZZZ
#undef ROW_ZV
#undef ROW_MAGNITUDE
#undef ROW_SUM
#undef ROW_SUM2
#undef ROW_PLACE
