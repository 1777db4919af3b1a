#include "CSyrinxAccelerate.h"
#include "Vectors.h"

#include <tgmath.h>

#define TEMPLATE "Complex.h"
#include "Types.h"
