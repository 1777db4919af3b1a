// The parameters and arguments of the families of vDSPTables.h.
#pragma once

#define VDSP_IN(letter) const REAL *__##letter, vDSP_Stride __I##letter
#define VDSP_OUT(letter) REAL *__##letter, vDSP_Stride __I##letter
#define VDSP_ONE(letter) const REAL *__##letter
#define VDSP_Z_IN(letter) const SPLIT *__##letter, vDSP_Stride __I##letter
#define VDSP_Z_OUT(letter) const SPLIT *__##letter, vDSP_Stride __I##letter

#define VDSP_PARAMETERS_V VDSP_IN(A), VDSP_OUT(C), vDSP_Length __N
#define VDSP_PARAMETERS_VS VDSP_IN(A), VDSP_ONE(B), VDSP_OUT(C), vDSP_Length __N
#define VDSP_PARAMETERS_SV VDSP_ONE(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N
#define VDSP_PARAMETERS_VSS VDSP_IN(A), VDSP_ONE(B), VDSP_ONE(C), VDSP_OUT(D), vDSP_Length __N
#define VDSP_PARAMETERS_VV VDSP_IN(A), VDSP_IN(B), VDSP_OUT(C), vDSP_Length __N
#define VDSP_PARAMETERS_VVS VDSP_IN(A), VDSP_IN(B), VDSP_ONE(C), VDSP_OUT(D), vDSP_Length __N
#define VDSP_PARAMETERS_VSV VDSP_IN(A), VDSP_ONE(B), VDSP_IN(C), VDSP_OUT(D), vDSP_Length __N
#define VDSP_PARAMETERS_VVV VDSP_IN(A), VDSP_IN(B), VDSP_IN(C), VDSP_OUT(D), vDSP_Length __N
#define VDSP_PARAMETERS_VSVS VDSP_IN(A), VDSP_ONE(B), VDSP_IN(C), VDSP_ONE(D), VDSP_OUT(E), vDSP_Length __N
#define VDSP_PARAMETERS_VVVV VDSP_IN(A), VDSP_IN(B), VDSP_IN(C), VDSP_IN(D), VDSP_OUT(E), vDSP_Length __N
#define VDSP_PARAMETERS_SUM VDSP_IN(A), REAL *__C, vDSP_Length __N
#define VDSP_PARAMETERS_SUM2 VDSP_IN(A), VDSP_IN(B), REAL *__C, vDSP_Length __N
#define VDSP_PARAMETERS_PLACE VDSP_IN(A), REAL *__C, vDSP_Length *__I, vDSP_Length __N
#define VDSP_PARAMETERS_Z VDSP_Z_IN(A), VDSP_Z_OUT(C), vDSP_Length __N
#define VDSP_PARAMETERS_ZZ VDSP_Z_IN(A), VDSP_Z_IN(B), VDSP_Z_OUT(C), vDSP_Length __N
#define VDSP_PARAMETERS_ZZZ VDSP_Z_IN(A), VDSP_Z_IN(B), VDSP_Z_IN(C), VDSP_Z_OUT(D), vDSP_Length __N
#define VDSP_PARAMETERS_ZV VDSP_Z_IN(A), VDSP_IN(B), VDSP_Z_OUT(C), vDSP_Length __N
#define VDSP_PARAMETERS_MAGNITUDE VDSP_Z_IN(A), VDSP_OUT(C), vDSP_Length __N

#define VDSP_ARGUMENTS_V __A, __IA, __C, __IC, __N
#define VDSP_ARGUMENTS_VS __A, __IA, __B, __C, __IC, __N
#define VDSP_ARGUMENTS_SV __A, __B, __IB, __C, __IC, __N
#define VDSP_ARGUMENTS_VSS __A, __IA, __B, __C, __D, __ID, __N
#define VDSP_ARGUMENTS_VV __A, __IA, __B, __IB, __C, __IC, __N
#define VDSP_ARGUMENTS_VVS __A, __IA, __B, __IB, __C, __D, __ID, __N
#define VDSP_ARGUMENTS_VSV __A, __IA, __B, __C, __IC, __D, __ID, __N
#define VDSP_ARGUMENTS_VVV __A, __IA, __B, __IB, __C, __IC, __D, __ID, __N
#define VDSP_ARGUMENTS_VSVS __A, __IA, __B, __C, __IC, __D, __E, __IE, __N
#define VDSP_ARGUMENTS_VVVV __A, __IA, __B, __IB, __C, __IC, __D, __ID, __E, __IE, __N
#define VDSP_ARGUMENTS_SUM __A, __IA, __C, __N
#define VDSP_ARGUMENTS_SUM2 __A, __IA, __B, __IB, __C, __N
#define VDSP_ARGUMENTS_PLACE __A, __IA, __C, __I, __N
#define VDSP_ARGUMENTS_Z __A, __IA, __C, __IC, __N
#define VDSP_ARGUMENTS_ZZ __A, __IA, __B, __IB, __C, __IC, __N
#define VDSP_ARGUMENTS_ZZZ __A, __IA, __B, __IB, __C, __IC, __D, __ID, __N
#define VDSP_ARGUMENTS_ZV __A, __IA, __B, __IB, __C, __IC, __N
#define VDSP_ARGUMENTS_MAGNITUDE __A, __IA, __C, __IC, __N
