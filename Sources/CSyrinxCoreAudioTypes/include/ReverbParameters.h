// The parameters of Core Audio's reverbs. Included by CSyrinxCoreAudioTypes.h.
#pragma once

// AUMatrixReverb: mixes in percent, times in seconds, the rate in Hz, the others from 0 to 1.
static const AudioUnitParameterID kReverbParam_DryWetMix = 0;
static const AudioUnitParameterID kReverbParam_SmallLargeMix = 1;
static const AudioUnitParameterID kReverbParam_SmallSize = 2;
static const AudioUnitParameterID kReverbParam_LargeSize = 3;
static const AudioUnitParameterID kReverbParam_PreDelay = 4;
static const AudioUnitParameterID kReverbParam_LargeDelay = 5;
static const AudioUnitParameterID kReverbParam_SmallDensity = 6;
static const AudioUnitParameterID kReverbParam_LargeDensity = 7;
static const AudioUnitParameterID kReverbParam_LargeDelayRange = 8;
static const AudioUnitParameterID kReverbParam_SmallBrightness = 9;
static const AudioUnitParameterID kReverbParam_LargeBrightness = 10;
static const AudioUnitParameterID kReverbParam_SmallDelayRange = 11;
static const AudioUnitParameterID kReverbParam_ModulationRate = 12;
static const AudioUnitParameterID kReverbParam_ModulationDepth = 13;
// Its filter: Hz, octaves, dB. The last two exist in AUSpatialMixer only.
static const AudioUnitParameterID kReverbParam_FilterFrequency = 14;
static const AudioUnitParameterID kReverbParam_FilterBandwidth = 15;
static const AudioUnitParameterID kReverbParam_FilterGain = 16;
static const AudioUnitParameterID kReverbParam_FilterType = 17;
static const AudioUnitParameterID kReverbParam_FilterEnable = 18;

// AUReverb2: the mix in percent, the gain in dB, times in seconds.
static const AudioUnitParameterID kReverb2Param_DryWetMix = 0;
static const AudioUnitParameterID kReverb2Param_Gain = 1;
static const AudioUnitParameterID kReverb2Param_MinDelayTime = 2;
static const AudioUnitParameterID kReverb2Param_MaxDelayTime = 3;
static const AudioUnitParameterID kReverb2Param_DecayTimeAt0Hz = 4;
static const AudioUnitParameterID kReverb2Param_DecayTimeAtNyquist = 5;
static const AudioUnitParameterID kReverb2Param_RandomizeReflections = 6;
