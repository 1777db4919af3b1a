// Includes the file TEMPLATE for Float and for Double.

#define REAL float
#define COMPLEX DSPComplex
#define SPLIT DSPSplitComplex
#define FFT_SETUP FFTSetup
#define DFT_SETUP vDSP_DFT_Setup
#define BIQUAD_SETUP vDSP_biquad_Setup
#define NUMBERS floatNumbers
#define LANES 8
#define VDSP(name) vDSP_##name
#define TYPED(name) name##_float
#include TEMPLATE
#undef REAL
#undef COMPLEX
#undef SPLIT
#undef FFT_SETUP
#undef DFT_SETUP
#undef BIQUAD_SETUP
#undef NUMBERS
#undef LANES
#undef VDSP
#undef TYPED

#define REAL double
#define COMPLEX DSPDoubleComplex
#define SPLIT DSPDoubleSplitComplex
#define FFT_SETUP FFTSetupD
#define DFT_SETUP vDSP_DFT_SetupD
#define BIQUAD_SETUP vDSP_biquad_SetupD
#define NUMBERS doubleNumbers
#define LANES 4
#define VDSP(name) vDSP_##name##D
#define TYPED(name) name##_double
#include TEMPLATE
#undef REAL
#undef COMPLEX
#undef SPLIT
#undef FFT_SETUP
#undef DFT_SETUP
#undef BIQUAD_SETUP
#undef NUMBERS
#undef LANES
#undef VDSP
#undef TYPED
