// GCC before 11.5, 12.4 and 13.3 tells its optimiser that `_tile_loadconfig` reads 8 bytes of the 64 that it reads. The
// stores of the others are dropped, and the first AMX instruction after it is illegal. This states all 64.
#if defined(__AMX_TILE__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#define _tile_loadconfig(config) __asm__ volatile("ldtilecfg\t%X0" : : "m"(*(const char(*)[64])(config)))
#endif
