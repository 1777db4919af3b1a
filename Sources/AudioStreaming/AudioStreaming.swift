// AudioStreaming
