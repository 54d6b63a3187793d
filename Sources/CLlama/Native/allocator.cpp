#include "allocator.hpp"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void cllama::return_freed_memory() noexcept {
#ifdef __GLIBC__
    // After many contexts of different sizes, glibc holds on to a fifth more than is in use.
    malloc_trim(0);
#endif
}
