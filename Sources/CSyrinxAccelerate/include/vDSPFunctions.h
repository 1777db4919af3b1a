// Declarations of vDSP's functions for one type of numbers: REAL, with SPLIT and COMPLEX numbers, under names made by VDSP.

// MARK: The tables

#define ROW_V(name, x) void VDSP(name)(VDSP_PARAMETERS_V);
#define ROW_VS(name, x) void VDSP(name)(VDSP_PARAMETERS_VS);
#define ROW_SV(name, x) void VDSP(name)(VDSP_PARAMETERS_SV);
#define ROW_VSS(name, x) void VDSP(name)(VDSP_PARAMETERS_VSS);
#define ROW_VV(name, x) void VDSP(name)(VDSP_PARAMETERS_VV);
#define ROW_VVS(name, x) void VDSP(name)(VDSP_PARAMETERS_VVS);
#define ROW_VSV(name, x) void VDSP(name)(VDSP_PARAMETERS_VSV);
#define ROW_VVV(name, x) void VDSP(name)(VDSP_PARAMETERS_VVV);
#define ROW_VSVS(name, x) void VDSP(name)(VDSP_PARAMETERS_VSVS);
#define ROW_VVVV(name, x) void VDSP(name)(VDSP_PARAMETERS_VVVV);
#define ROW_SUM(name, start, x, join, end) void VDSP(name)(VDSP_PARAMETERS_SUM);
#define ROW_SUM2(name, start, x, join, end) void VDSP(name)(VDSP_PARAMETERS_SUM2);
#define ROW_PLACE(name, start, x, join) void VDSP(name)(VDSP_PARAMETERS_PLACE);
#define ROW_Z(name, re, im) void VDSP(name)(VDSP_PARAMETERS_Z);
#define ROW_ZZ(name, re, im) void VDSP(name)(VDSP_PARAMETERS_ZZ);
#define ROW_ZZZ(name, re, im) void VDSP(name)(VDSP_PARAMETERS_ZZZ);
#define ROW_ZV(name, re, im) void VDSP(name)(VDSP_PARAMETERS_ZV);
#define ROW_MAGNITUDE(name, x) void VDSP(name)(VDSP_PARAMETERS_MAGNITUDE);

#include "vDSPTables.h"

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
#undef ROW_SUM
#undef ROW_SUM2
#undef ROW_PLACE
#undef ROW_Z
#undef ROW_ZZ
#undef ROW_ZZZ
#undef ROW_ZV
#undef ROW_MAGNITUDE

#pragma clang assume_nonnull begin

// MARK: More of vectors

/// Sum and sum of squares.
void VDSP(sve_svesq)(VDSP_IN(A), REAL *__Sum, REAL *__SumOfSquares, vDSP_Length __N);
/// C = (A - mean) / standard deviation, of all N elements; C may be NULL.
void VDSP(normalize)(VDSP_IN(A), REAL *_Nullable __C, vDSP_Stride __IC, REAL *__Mean, REAL *__StandardDeviation, vDSP_Length __N);
/// O0 = I1 + I0, O1 = I1 - I0.
void VDSP(vaddsub)(
    const REAL *__I0, vDSP_Stride __I0S, const REAL *__I1, vDSP_Stride __I1S, REAL *__O0, vDSP_Stride __O0S, REAL *__O1,
    vDSP_Stride __O1S, vDSP_Length __N);
/// As vclip, and the numbers of elements below B and above C.
void VDSP(vclipc)(
    VDSP_IN(A), VDSP_ONE(B), VDSP_ONE(C), VDSP_OUT(D), vDSP_Length __N, vDSP_Length *__NLow, vDSP_Length *__NHigh);
/// Crossings of zero, until there are B: the index of the last, and their number.
void VDSP(nzcros)(VDSP_IN(A), vDSP_Length __B, vDSP_Length *__C, vDSP_Length *__D, vDSP_Length __N);

void VDSP(vclr)(VDSP_OUT(C), vDSP_Length __N);
void VDSP(vfill)(VDSP_ONE(A), VDSP_OUT(C), vDSP_Length __N);
void VDSP(vswap)(VDSP_OUT(A), VDSP_OUT(B), vDSP_Length __N);
void VDSP(vrvrs)(VDSP_OUT(C), vDSP_Length __N);
/// Order: 1 is ascending, -1 descending.
void VDSP(vsort)(REAL *__C, vDSP_Length __N, int __Order);
/// Sorts indices by the elements of C. Temporary is not used.
void VDSP(vsorti)(const REAL *__C, vDSP_Length *__I, vDSP_Length *_Nullable __Temporary, vDSP_Length __N, int __Order);
/// The elements of A where B is not 0, one after the other.
void VDSP(vcmprs)(VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N);
/// C[n] = A[B[n]]: indices from 1 on in vgathr, truncated numbers from 0 on in vindex.
void VDSP(vgathr)(const REAL *__A, const vDSP_Length *__B, vDSP_Stride __IB, VDSP_OUT(C), vDSP_Length __N);
void VDSP(vindex)(const REAL *__A, VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N);

// MARK: Ramps and windows

/// C[n] = A + n B.
void VDSP(vramp)(VDSP_ONE(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N);
/// From A to B.
void VDSP(vgen)(VDSP_ONE(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N);
/// O[n] = (Start + n Step) I[n], for one or two channels; or that added. Start goes on.
void VDSP(vrampmul)(
    const REAL *__I, vDSP_Stride __IS, REAL *__Start, const REAL *__Step, REAL *__O, vDSP_Stride __OS, vDSP_Length __N);
void VDSP(vrampmuladd)(
    const REAL *__I, vDSP_Stride __IS, REAL *__Start, const REAL *__Step, REAL *__O, vDSP_Stride __OS, vDSP_Length __N);
void VDSP(vrampmul2)(
    const REAL *__I0, const REAL *__I1, vDSP_Stride __IS, REAL *__Start, const REAL *__Step, REAL *__O0, REAL *__O1,
    vDSP_Stride __OS, vDSP_Length __N);
void VDSP(vrampmuladd2)(
    const REAL *__I0, const REAL *__I1, vDSP_Stride __IS, REAL *__Start, const REAL *__Step, REAL *__O0, REAL *__O1,
    vDSP_Stride __OS, vDSP_Length __N);
void VDSP(hann_window)(REAL *__C, vDSP_Length __N, int __Flag);
void VDSP(hamm_window)(REAL *__C, vDSP_Length __N, int __Flag);
void VDSP(blkman_window)(REAL *__C, vDSP_Length __N, int __Flag);

// MARK: Interpolation and merging

/// Linear and quadratic interpolation of the M elements of A at the places B.
void VDSP(vlint)(const REAL *__A, VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __M);
void VDSP(vqint)(const REAL *__A, VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __M);
/// The line through the M points (B, A), level outside, at 0 ... N - 1.
void VDSP(vgenp)(VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __M);
/// The table C of M elements at S1 A + S2, interpolated.
void VDSP(vtabi)(
    VDSP_IN(A), const REAL *__S1, const REAL *__S2, const REAL *__C, vDSP_Length __M, VDSP_OUT(D), vDSP_Length __N);
/// From A at the first element to B at the last.
void VDSP(vtmerg)(VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N);
/// C = (B C + A) / (B + 1): a mean of B + 1 vectors.
void VDSP(vavlin)(VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N);
/// The polynomial whose P + 1 coefficients A begin with that of the highest power, at B.
void VDSP(vpoly)(VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __P);

// MARK: Sums on the way, filters

/// S times the sum of A[1] ... A[n]; the integral by Simpson's rule; by trapezoids.
void VDSP(vrsum)(VDSP_IN(A), const REAL *__S, VDSP_OUT(C), vDSP_Length __N);
void VDSP(vsimps)(VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N);
void VDSP(vtrapz)(VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N);
/// Sum and maximum of A[n] ... A[n + P - 1].
void VDSP(vswsum)(VDSP_IN(A), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __P);
void VDSP(vswmax)(VDSP_IN(A), VDSP_OUT(C), vDSP_Length __N, vDSP_Length __WindowLength);
/// C[n] = sum of A[n + p] F[p]: correlation; with a stride of -1, from the last element of F on, convolution.
void VDSP(conv)(VDSP_IN(A), const REAL *__F, vDSP_Stride __IF, VDSP_OUT(C), vDSP_Length __N, vDSP_Length __P);
/// C[n] = sum of A[n DF + p] F[p].
void VDSP(desamp)(
    const REAL *__A, vDSP_Stride __DF, const REAL *__F, REAL *__C, vDSP_Length __N, vDSP_Length __P);
/// C[n] = A[n] B[0] + A[n - 1] B[1] + A[n - 2] B[2] - C[n - 1] B[3] - C[n - 2] B[4], n from 2 to N + 1.
void VDSP(deq22)(VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N);

// MARK: Decibels, polar coordinates

/// C = 10 log10(A / B), or 20 log10 if the flag is 1.
void VDSP(vdbcon)(VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N, unsigned int __F);
/// Pairs of numbers beside each other: x and y to radius and angle, and back.
void VDSP(polar)(VDSP_IN(A), VDSP_OUT(C), vDSP_Length __N);
void VDSP(rect)(VDSP_IN(A), VDSP_OUT(C), vDSP_Length __N);

// MARK: Matrices

/// C, of M rows and N columns, = A B, where A has P columns. C = A transposed, of M rows and N columns.
void VDSP(mmul)(VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __M, vDSP_Length __N, vDSP_Length __P);
void VDSP(mtrans)(VDSP_IN(A), VDSP_OUT(C), vDSP_Length __M, vDSP_Length __N);
/// Copies N rows of M elements, whose rows are TA and TC apart.
void VDSP(mmov)(const REAL *__A, REAL *__C, vDSP_Length __M, vDSP_Length __N, vDSP_Length __TA, vDSP_Length __TC);

// MARK: More of complex numbers

/// Strides of complex numbers beside each other count their parts.
void VDSP(ctoz)(const COMPLEX *__C, vDSP_Stride __IC, const SPLIT *__Z, vDSP_Stride __IZ, vDSP_Length __N);
void VDSP(ztoc)(const SPLIT *__Z, vDSP_Stride __IZ, COMPLEX *__C, vDSP_Stride __IC, vDSP_Length __N);
/// C = A B, or conj(A) B if Conjugate is -1.
void VDSP(zvmul)(VDSP_Z_IN(A), VDSP_Z_IN(B), VDSP_Z_OUT(C), vDSP_Length __N, int __Conjugate);
void VDSP(zvfill)(const SPLIT *__A, VDSP_Z_OUT(C), vDSP_Length __N);
/// C = A B for one number B. D = A B + C for one number B.
void VDSP(zvzsml)(VDSP_Z_IN(A), const SPLIT *__B, VDSP_Z_OUT(C), vDSP_Length __N);
void VDSP(zvsma)(VDSP_Z_IN(A), const SPLIT *__B, VDSP_Z_IN(C), VDSP_Z_OUT(D), vDSP_Length __N);
/// C = |A|^2 + B; C += |A|^2; the angle.
void VDSP(zvmgsa)(VDSP_Z_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N);
void VDSP(zaspec)(const SPLIT *__A, REAL *__C, vDSP_Length __N);
void VDSP(zvphas)(VDSP_Z_IN(A), VDSP_OUT(C), vDSP_Length __N);
/// Sums of A B, of conj(A) B, and of complex A times real B.
void VDSP(zdotpr)(VDSP_Z_IN(A), VDSP_Z_IN(B), const SPLIT *__C, vDSP_Length __N);
void VDSP(zidotpr)(VDSP_Z_IN(A), VDSP_Z_IN(B), const SPLIT *__C, vDSP_Length __N);
void VDSP(zrdotpr)(VDSP_Z_IN(A), VDSP_IN(B), const SPLIT *__C, vDSP_Length __N);

// MARK: Fourier transforms of powers of 2

FFT_SETUP _Nullable VDSP(create_fftsetup)(vDSP_Length __Log2n, FFTRadix __Radix);
void VDSP(destroy_fftsetup)(FFT_SETUP _Nullable __setup);
void VDSP(fft_zip)(FFT_SETUP __Setup, const SPLIT *__C, vDSP_Stride __IC, vDSP_Length __Log2N, FFTDirection __Direction);
void VDSP(fft_zop)(
    FFT_SETUP __Setup, VDSP_Z_IN(A), VDSP_Z_OUT(C), vDSP_Length __Log2N, FFTDirection __Direction);
void VDSP(fft_zrip)(FFT_SETUP __Setup, const SPLIT *__C, vDSP_Stride __IC, vDSP_Length __Log2N, FFTDirection __Direction);
void VDSP(fft_zrop)(
    FFT_SETUP __Setup, VDSP_Z_IN(A), VDSP_Z_OUT(C), vDSP_Length __Log2N, FFTDirection __Direction);
/// The same: the buffer is not used.
void VDSP(fft_zipt)(
    FFT_SETUP __Setup, const SPLIT *__C, vDSP_Stride __IC, const SPLIT *__Buffer, vDSP_Length __Log2N,
    FFTDirection __Direction);
void VDSP(fft_zopt)(
    FFT_SETUP __Setup, VDSP_Z_IN(A), VDSP_Z_OUT(C), const SPLIT *__Buffer, vDSP_Length __Log2N, FFTDirection __Direction);
void VDSP(fft_zript)(
    FFT_SETUP __Setup, const SPLIT *__C, vDSP_Stride __IC, const SPLIT *__Buffer, vDSP_Length __Log2N,
    FFTDirection __Direction);
void VDSP(fft_zropt)(
    FFT_SETUP __Setup, VDSP_Z_IN(A), VDSP_Z_OUT(C), const SPLIT *__Buffer, vDSP_Length __Log2N, FFTDirection __Direction);

// MARK: Fourier transforms of other lengths

DFT_SETUP _Nullable VDSP(DFT_zop_CreateSetup)(
    DFT_SETUP _Nullable __Previous, vDSP_Length __Length, vDSP_DFT_Direction __Direction);
DFT_SETUP _Nullable VDSP(DFT_zrop_CreateSetup)(
    DFT_SETUP _Nullable __Previous, vDSP_Length __Length, vDSP_DFT_Direction __Direction);
void VDSP(DFT_DestroySetup)(DFT_SETUP _Nullable __Setup);
void VDSP(DFT_Execute)(DFT_SETUP __Setup, const REAL *__Ir, const REAL *__Ii, REAL *__Or, REAL *__Oi);

// MARK: Second-order sections

BIQUAD_SETUP _Nullable VDSP(biquad_CreateSetup)(const double *__Coefficients, vDSP_Length __M);
void VDSP(biquad_DestroySetup)(BIQUAD_SETUP _Nullable __setup);
void VDSP(biquad)(
    BIQUAD_SETUP __Setup, REAL *__Delay, const REAL *__X, vDSP_Stride __IX, REAL *__Y, vDSP_Stride __IY, vDSP_Length __N);

#pragma clang assume_nonnull end
