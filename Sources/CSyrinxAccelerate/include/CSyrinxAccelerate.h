// The part of vDSP and vForce that audio programs call, under Apple's names, as public documentation gives them. Swift sees
// this through `Accelerate`.
//
// Strides count numbers and may be negative. N is a number of elements; where it is 0, nothing is written but the result of
// a sum. A result may be in the place of an argument of the same stride. Any thread may call, and several may share a setup,
// except that of a biquad filter, whose delay is the caller's.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "vDSPParameters.h"

#pragma clang assume_nonnull begin

typedef unsigned long vDSP_Length;
typedef long vDSP_Stride;

typedef struct DSPComplex {
    float real;
    float imag;
} DSPComplex;

typedef struct DSPDoubleComplex {
    double real;
    double imag;
} DSPDoubleComplex;

typedef struct DSPSplitComplex {
    float *realp;
    float *imagp;
} DSPSplitComplex;

typedef struct DSPDoubleSplitComplex {
    double *realp;
    double *imagp;
} DSPDoubleSplitComplex;

typedef struct {
    uint8_t bytes[3];
} vDSP_int24;

typedef struct {
    uint8_t bytes[3];
} vDSP_uint24;

// MARK: Setups

typedef int FFTDirection;
typedef int FFTRadix;

enum {
    kFFTDirection_Forward = +1,
    kFFTDirection_Inverse = -1
};

enum {
    kFFTRadix2 = 0,
    kFFTRadix3 = 1,
    kFFTRadix5 = 2
};

enum {
    FFT_FORWARD = kFFTDirection_Forward,
    FFT_INVERSE = kFFTDirection_Inverse
};

enum {
    FFT_RADIX2 = kFFTRadix2,
    FFT_RADIX3 = kFFTRadix3,
    FFT_RADIX5 = kFFTRadix5
};

/// Flags of windows: half of a window, and the scale of a Hann window.
enum {
    vDSP_HALF_WINDOW = 1,
    vDSP_HANN_DENORM = 0,
    vDSP_HANN_NORM = 2
};

typedef enum __attribute__((enum_extensibility(closed))) vDSP_DFT_Direction : int {
    vDSP_DFT_FORWARD __attribute__((swift_name("FORWARD"))) = +1,
    vDSP_DFT_INVERSE __attribute__((swift_name("INVERSE"))) = -1
} vDSP_DFT_Direction;

typedef enum __attribute__((enum_extensibility(closed))) vDSP_DCT_Type : int {
    vDSP_DCT_II __attribute__((swift_name("II"))) = 2,
    vDSP_DCT_III __attribute__((swift_name("III"))) = 3,
    vDSP_DCT_IV __attribute__((swift_name("IV"))) = 4
} vDSP_DCT_Type;

typedef struct OpaqueFFTSetup *FFTSetup;
typedef struct OpaqueFFTSetupD *FFTSetupD;
typedef struct vDSP_DFT_SetupStruct *vDSP_DFT_Setup;
typedef struct vDSP_DFT_SetupStructD *vDSP_DFT_SetupD;
typedef struct vDSP_biquad_SetupStruct *vDSP_biquad_Setup;
typedef struct vDSP_biquad_SetupStructD *vDSP_biquad_SetupD;

#pragma clang assume_nonnull end

// MARK: Float

#define REAL float
#define COMPLEX DSPComplex
#define SPLIT DSPSplitComplex
#define FFT_SETUP FFTSetup
#define DFT_SETUP vDSP_DFT_Setup
#define BIQUAD_SETUP vDSP_biquad_Setup
#define VDSP(name) vDSP_##name
#include "vDSPFunctions.h"
#undef REAL
#undef COMPLEX
#undef SPLIT
#undef FFT_SETUP
#undef DFT_SETUP
#undef BIQUAD_SETUP
#undef VDSP

// MARK: Double

#define REAL double
#define COMPLEX DSPDoubleComplex
#define SPLIT DSPDoubleSplitComplex
#define FFT_SETUP FFTSetupD
#define DFT_SETUP vDSP_DFT_SetupD
#define BIQUAD_SETUP vDSP_biquad_SetupD
#define VDSP(name) vDSP_##name##D
#include "vDSPFunctions.h"
#undef REAL
#undef COMPLEX
#undef SPLIT
#undef FFT_SETUP
#undef DFT_SETUP
#undef BIQUAD_SETUP
#undef VDSP

#pragma clang assume_nonnull begin

// MARK: Cosine transforms, which exist for Float

vDSP_DFT_Setup _Nullable vDSP_DCT_CreateSetup(
    vDSP_DFT_Setup _Nullable __Previous, vDSP_Length __Length, vDSP_DCT_Type __Type);
void vDSP_DCT_Execute(vDSP_DFT_Setup __Setup, const float *__Input, float *__Output);

// MARK: Conversions

void vDSP_vspdp(const float *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC, vDSP_Length __N);
void vDSP_vdpsp(const double *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC, vDSP_Length __N);

#define CONVERSION(name, from, to) \
    void vDSP_##name(const from *__A, vDSP_Stride __IA, to *__C, vDSP_Stride __IC, vDSP_Length __N);
// To Float and Double; from them towards 0; from them to the nearest, the even one of two. What does not fit becomes the
// nearest number that does.
#define CONVERSIONS(type, suffix) \
    CONVERSION(vflt##suffix, type, float) CONVERSION(vflt##suffix##D, type, double) \
    CONVERSION(vfix##suffix, float, type) CONVERSION(vfix##suffix##D, double, type) \
    CONVERSION(vfixr##suffix, float, type) CONVERSION(vfixr##suffix##D, double, type)
CONVERSIONS(signed char, 8)
CONVERSIONS(short, 16)
CONVERSIONS(int, 32)
CONVERSIONS(unsigned char, u8)
CONVERSIONS(unsigned short, u16)
CONVERSIONS(unsigned int, u32)
CONVERSION(vflt24, vDSP_int24, float)
CONVERSION(vfltu24, vDSP_uint24, float)
#undef CONVERSIONS
#undef CONVERSION

// MARK: vForce

/// Sines z and cosines y of the *n numbers x.
void vvsincosf(float *z, float *y, const float *x, const int *n);
void vvsincos(double *z, double *y, const double *x, const int *n);
/// The *n numbers x to the power of the one number *y.
void vvpowsf(float *z, const float *y, const float *x, const int *n);
void vvpows(double *z, const double *y, const double *x, const int *n);

#pragma clang assume_nonnull end

#define FUNCTION(name, value) \
    void vv##name##f(float *y, const float *x, const int *n); \
    void vv##name(double *y, const double *x, const int *n);
#define FUNCTION2(name, value) \
    void vv##name##f(float *z, const float *y, const float *x, const int *n); \
    void vv##name(double *z, const double *y, const double *x, const int *n);
#include "vForceTables.h"
#undef FUNCTION
#undef FUNCTION2
