#include "CCoreAudioTypes.h"
// The C target has to compile something: its header is what counts.
