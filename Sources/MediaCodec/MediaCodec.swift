// MediaCodec
