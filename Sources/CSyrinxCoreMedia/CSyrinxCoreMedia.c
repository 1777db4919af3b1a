// A C target has to compile something: its header is what counts.
#include "CSyrinxCoreMedia.h"
