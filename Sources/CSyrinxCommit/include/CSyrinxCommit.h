// The commit that the program was built from.

#ifndef CSYRINX_COMMIT_H
#define CSYRINX_COMMIT_H

/// Returns the commit's name, with "-dirty" behind it if files had been changed, or "unknown".
const char *csyrinx_commit(void);

#endif
