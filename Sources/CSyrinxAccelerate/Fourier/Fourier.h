// Fourier transforms of split complex numbers, on which those of vDSP stand.
//
// A plan is read by any number of threads at once. Each has the memory for one transform; a second transform at the same time
// allocates its own. No function scales: forward and inverse give n times the input. The inverse of a complex transform is the
// forward one with real and imaginary parts exchanged, in the input and in the output.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

typedef struct syrinx_fourier_float syrinx_fourier_float;
typedef struct syrinx_fourier_double syrinx_fourier_double;

// The greatest number of complex points of a plan.
static const size_t syrinx_fourier_limit = (size_t)1 << 24;

// Prepares transforms of `length` complex points, whose only prime factors are 2, 3 and 5, and of 2 * length real ones.
// NULL: another length, or no memory.
syrinx_fourier_float *_Nullable syrinx_fourier_create_float(size_t length);
syrinx_fourier_double *_Nullable syrinx_fourier_create_double(size_t length);
void syrinx_fourier_destroy_float(syrinx_fourier_float *_Nullable plan);
void syrinx_fourier_destroy_double(syrinx_fourier_double *_Nullable plan);

// Transforms x into y, which may be the same. False if there was no memory: y is as it was.
bool syrinx_fourier_complex_float(syrinx_fourier_float *plan, const float *xr, const float *xi, float *yr, float *yi);
bool syrinx_fourier_complex_double(syrinx_fourier_double *plan, const double *xr, const double *xi, double *yr, double *yi);

// Transforms 2 * length real numbers, whose even ones are xr and whose odd ones xi, into twice their spectrum. yr[0] is the
// point at 0 and yi[0] the point at the Nyquist frequency, both real.
bool syrinx_fourier_forward_float(syrinx_fourier_float *plan, const float *xr, const float *xi, float *yr, float *yi);
bool syrinx_fourier_forward_double(syrinx_fourier_double *plan, const double *xr, const double *xi, double *yr, double *yi);

// The way back from such a spectrum. After both ways there is 4 * length times the input.
bool syrinx_fourier_inverse_float(syrinx_fourier_float *plan, const float *xr, const float *xi, float *yr, float *yi);
bool syrinx_fourier_inverse_double(syrinx_fourier_double *plan, const double *xr, const double *xi, double *yr, double *yi);

#pragma clang assume_nonnull end
