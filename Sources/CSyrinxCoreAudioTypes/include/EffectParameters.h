// The parameters of Apple's effects that the library has, by the names that Core Audio has for them. Included by AudioComponents.h.
#pragma once

// MARK: Low-pass and high-pass filter

static const AudioUnitParameterID kLowPassParam_CutoffFrequency = 0;
static const AudioUnitParameterID kLowPassParam_Resonance = 1;
static const AudioUnitParameterID kHipassParam_CutoffFrequency = 0;
static const AudioUnitParameterID kHipassParam_Resonance = 1;

// MARK: Band-pass filter

static const AudioUnitParameterID kBandpassParam_CenterFrequency = 0;
static const AudioUnitParameterID kBandpassParam_Bandwidth = 1;

// MARK: Shelf filters

static const AudioUnitParameterID kAULowShelfParam_CutoffFrequency = 0;
static const AudioUnitParameterID kAULowShelfParam_Gain = 1;
static const AudioUnitParameterID kHighShelfParam_CutOffFrequency = 0;
static const AudioUnitParameterID kHighShelfParam_Gain = 1;

// MARK: Parametric equaliser

static const AudioUnitParameterID kParametricEQParam_CenterFreq = 0;
static const AudioUnitParameterID kParametricEQParam_Q = 1;
static const AudioUnitParameterID kParametricEQParam_Gain = 2;

// MARK: N-band equaliser; the number of the band is added to those of a band

static const AudioUnitParameterID kAUNBandEQParam_GlobalGain = 0;
static const AudioUnitParameterID kAUNBandEQParam_BypassBand = 1000;
static const AudioUnitParameterID kAUNBandEQParam_FilterType = 2000;
static const AudioUnitParameterID kAUNBandEQParam_Frequency = 3000;
static const AudioUnitParameterID kAUNBandEQParam_Gain = 4000;
static const AudioUnitParameterID kAUNBandEQParam_Bandwidth = 5000;

// MARK: Delay

static const AudioUnitParameterID kDelayParam_WetDryMix = 0;
static const AudioUnitParameterID kDelayParam_DelayTime = 1;
static const AudioUnitParameterID kDelayParam_Feedback = 2;
static const AudioUnitParameterID kDelayParam_LopassCutoff = 3;

// MARK: Distortion

static const AudioUnitParameterID kDistortionParam_Delay = 0;
static const AudioUnitParameterID kDistortionParam_Decay = 1;
static const AudioUnitParameterID kDistortionParam_DelayMix = 2;
static const AudioUnitParameterID kDistortionParam_Decimation = 3;
static const AudioUnitParameterID kDistortionParam_Rounding = 4;
static const AudioUnitParameterID kDistortionParam_DecimationMix = 5;
static const AudioUnitParameterID kDistortionParam_LinearTerm = 6;
static const AudioUnitParameterID kDistortionParam_SquaredTerm = 7;
static const AudioUnitParameterID kDistortionParam_CubicTerm = 8;
static const AudioUnitParameterID kDistortionParam_PolynomialMix = 9;
static const AudioUnitParameterID kDistortionParam_RingModFreq1 = 10;
static const AudioUnitParameterID kDistortionParam_RingModFreq2 = 11;
static const AudioUnitParameterID kDistortionParam_RingModBalance = 12;
static const AudioUnitParameterID kDistortionParam_RingModMix = 13;
static const AudioUnitParameterID kDistortionParam_SoftClipGain = 14;
static const AudioUnitParameterID kDistortionParam_FinalMix = 15;

// MARK: Dynamics processor

static const AudioUnitParameterID kDynamicsProcessorParam_Threshold = 0;
static const AudioUnitParameterID kDynamicsProcessorParam_HeadRoom = 1;
static const AudioUnitParameterID kDynamicsProcessorParam_ExpansionRatio = 2;
static const AudioUnitParameterID kDynamicsProcessorParam_ExpansionThreshold = 3;
static const AudioUnitParameterID kDynamicsProcessorParam_AttackTime = 4;
static const AudioUnitParameterID kDynamicsProcessorParam_ReleaseTime = 5;
static const AudioUnitParameterID kDynamicsProcessorParam_OverallGain = 6;
static const AudioUnitParameterID kDynamicsProcessorParam_MasterGain = 6;
static const AudioUnitParameterID kDynamicsProcessorParam_CompressionAmount = 1000;
static const AudioUnitParameterID kDynamicsProcessorParam_InputAmplitude = 2000;
static const AudioUnitParameterID kDynamicsProcessorParam_OutputAmplitude = 3000;

// MARK: Peak limiter

static const AudioUnitParameterID kLimiterParam_AttackTime = 0;
static const AudioUnitParameterID kLimiterParam_DecayTime = 1;
static const AudioUnitParameterID kLimiterParam_PreGain = 2;

// MARK: Multi-band compressor

static const AudioUnitParameterID kMultibandCompressorParam_Pregain = 0;
static const AudioUnitParameterID kMultibandCompressorParam_Postgain = 1;
static const AudioUnitParameterID kMultibandCompressorParam_Crossover1 = 2;
static const AudioUnitParameterID kMultibandCompressorParam_Crossover2 = 3;
static const AudioUnitParameterID kMultibandCompressorParam_Crossover3 = 4;
static const AudioUnitParameterID kMultibandCompressorParam_Threshold1 = 5;
static const AudioUnitParameterID kMultibandCompressorParam_Threshold2 = 6;
static const AudioUnitParameterID kMultibandCompressorParam_Threshold3 = 7;
static const AudioUnitParameterID kMultibandCompressorParam_Threshold4 = 8;
static const AudioUnitParameterID kMultibandCompressorParam_Headroom1 = 9;
static const AudioUnitParameterID kMultibandCompressorParam_Headroom2 = 10;
static const AudioUnitParameterID kMultibandCompressorParam_Headroom3 = 11;
static const AudioUnitParameterID kMultibandCompressorParam_Headroom4 = 12;
static const AudioUnitParameterID kMultibandCompressorParam_AttackTime = 13;
static const AudioUnitParameterID kMultibandCompressorParam_ReleaseTime = 14;
static const AudioUnitParameterID kMultibandCompressorParam_EQ1 = 15;
static const AudioUnitParameterID kMultibandCompressorParam_EQ2 = 16;
static const AudioUnitParameterID kMultibandCompressorParam_EQ3 = 17;
static const AudioUnitParameterID kMultibandCompressorParam_EQ4 = 18;
static const AudioUnitParameterID kMultibandCompressorParam_CompressionAmount1 = 1000;
static const AudioUnitParameterID kMultibandCompressorParam_CompressionAmount2 = 2000;
static const AudioUnitParameterID kMultibandCompressorParam_CompressionAmount3 = 3000;
static const AudioUnitParameterID kMultibandCompressorParam_CompressionAmount4 = 4000;
static const AudioUnitParameterID kMultibandCompressorParam_InputAmplitude1 = 5000;
static const AudioUnitParameterID kMultibandCompressorParam_InputAmplitude2 = 6000;
static const AudioUnitParameterID kMultibandCompressorParam_InputAmplitude3 = 7000;
static const AudioUnitParameterID kMultibandCompressorParam_InputAmplitude4 = 8000;
static const AudioUnitParameterID kMultibandCompressorParam_OutputAmplitude1 = 9000;
static const AudioUnitParameterID kMultibandCompressorParam_OutputAmplitude2 = 10000;
static const AudioUnitParameterID kMultibandCompressorParam_OutputAmplitude3 = 11000;
static const AudioUnitParameterID kMultibandCompressorParam_OutputAmplitude4 = 12000;

// MARK: Changes of speed and pitch

static const AudioUnitParameterID kVarispeedParam_PlaybackRate = 0;
static const AudioUnitParameterID kVarispeedParam_PlaybackCents = 1;
static const AudioUnitParameterID kNewTimePitchParam_Rate = 0;
static const AudioUnitParameterID kNewTimePitchParam_Pitch = 1;
static const AudioUnitParameterID kNewTimePitchParam_Overlap = 4;
