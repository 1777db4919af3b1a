#include "CSyrinxAccelerate.h"
#include "Vectors.h"

#define TEMPLATE "Elementwise.h"
#include "Types.h"
