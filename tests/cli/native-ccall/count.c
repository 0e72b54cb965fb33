#include <stdint.h>
int64_t shared_count;
int64_t status_length(void);
int64_t counted(void) { shared_count++; return status_length(); }
