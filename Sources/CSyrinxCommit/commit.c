#include "CSyrinxCommit.h"

// scripts/stamp writes the name over these bytes when the program is installed or packed. A commit that was compiled in would
// link every program again at each commit. Volatile: the compiler may not assume the text that it sees here.
__attribute__((section("syrinx_commit"), used)) static const volatile char field[64] = "unknown";

const char *csyrinx_commit(void) { return (const char *)field; }
