// The rows of vDSPTables.h that give one number, for one type of numbers: REAL, in vectors NUMBERS of LANES.
//
// Four vectors of sums hide the latency of an addition. They also make sums of many Floats more exact than one sum in order.

#define ABSOLUTE(x) __builtin_elementwise_abs(x)
#define ROOT(x) __builtin_elementwise_sqrt(x)
#define CHAINS 4

typedef REAL NUMBERS __attribute__((ext_vector_type(LANES), aligned(sizeof(REAL)), may_alias));

// Joins a number or vector to a sum, by the formula of a row for s and a.
#define JOIN(type, sum, number, join) \
    { \
        const type s = sum, a = number; \
        sum = join; \
    }

#define SUM(family, name, start, strides, takes, takes1, x, join, end) \
    INLINE void BODY(VDSP(name))(VDSP_PARAMETERS_##family) { \
        vDSP_Length i = 0; \
        REAL total = start; \
        if (strides) { \
            NUMBERS sums[CHAINS]; \
            for (int k = 0; k < CHAINS; k++) sums[k] = (NUMBERS)(REAL)(start); \
            for (; __N - i >= CHAINS * LANES; i += CHAINS * LANES) \
                for (int k = 0; k < CHAINS; k++) { \
                    takes \
                    const NUMBERS number = x; \
                    JOIN(NUMBERS, sums[k], number, join) \
                } \
            NUMBERS whole = sums[0]; \
            for (int k = 1; k < CHAINS; k++) JOIN(NUMBERS, whole, sums[k], join) \
            for (int lane = 0; lane < LANES; lane++) JOIN(REAL, total, whole[lane], join) \
        } \
        for (; i < __N; i++) { \
            takes1 \
            const REAL number = x; \
            JOIN(REAL, total, number, join) \
        } \
        const REAL s = total, n = (REAL)__N; \
        (void)n; \
        *__C = end; \
    } \
    DISPATCHED(VDSP(name), (VDSP_PARAMETERS_##family), (VDSP_ARGUMENTS_##family))

#define TAKE(letter, name) const NUMBERS name = *(const NUMBERS *)(__##letter + i + k * LANES);
#define TAKE1(letter, name) const REAL name = __##letter[(ptrdiff_t)i * __I##letter];
#define ROW_SUM(name, start, x, join, end) SUM(SUM, name, start, __IA == 1, TAKE(A, a), TAKE1(A, a), x, join, end)
#define ROW_SUM2(name, start, x, join, end) \
    SUM(SUM2, name, start, __IA == 1 && __IB == 1, TAKE(A, a) TAKE(B, b), TAKE1(A, a) TAKE1(B, b), x, join, end)

// The best of a block, and where it is better than those before, its place in the block.
#define ROW_PLACE(name, start, x, join) \
    INLINE void BODY(VDSP(name))(VDSP_PARAMETERS_PLACE) { \
        REAL best = start; \
        vDSP_Length place = 0; \
        for (vDSP_Length block = 0; block < __N; block += 256) { \
            const vDSP_Length end = __N - block < 256 ? __N : block + 256; \
            vDSP_Length i = block; \
            REAL total = best; \
            if (__IA == 1) { \
                NUMBERS sums[2] = {(NUMBERS)(REAL)(start), (NUMBERS)(REAL)(start)}; \
                for (; end - i >= 2 * LANES; i += 2 * LANES) \
                    for (int k = 0; k < 2; k++) { \
                        TAKE(A, a) \
                        const NUMBERS number = x; \
                        JOIN(NUMBERS, sums[k], number, join) \
                    } \
                NUMBERS whole = sums[0]; \
                JOIN(NUMBERS, whole, sums[1], join) \
                for (int lane = 0; lane < LANES; lane++) JOIN(REAL, total, whole[lane], join) \
            } \
            for (; i < end; i++) { \
                TAKE1(A, a) \
                const REAL number = x; \
                JOIN(REAL, total, number, join) \
            } \
            if (total == best) continue; \
            best = total; \
            for (i = block; i < end; i++) { \
                TAKE1(A, a) \
                if (x == best) break; \
            } \
            place = i; \
        } \
        *__C = best; \
        *__I = place * (vDSP_Length)__IA; \
    } \
    DISPATCHED(VDSP(name), (VDSP_PARAMETERS_PLACE), (VDSP_ARGUMENTS_PLACE))

// The vectors have a file of their own.
#define ROW_V(name, x)
#define ROW_VS(name, x)
#define ROW_SV(name, x)
#define ROW_VSS(name, x)
#define ROW_VV(name, x)
#define ROW_VVS(name, x)
#define ROW_VSV(name, x)
#define ROW_VVV(name, x)
#define ROW_VSVS(name, x)
#define ROW_VVVV(name, x)
#define ROW_Z(name, re, im)
#define ROW_ZZ(name, re, im)
#define ROW_ZZZ(name, re, im)
#define ROW_ZV(name, re, im)
#define ROW_MAGNITUDE(name, x)

#include "vDSPTables.h"

#undef ABSOLUTE
#undef ROOT
#undef CHAINS
#undef JOIN
#undef SUM
#undef TAKE
#undef TAKE1
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
