#include "allocator.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void cllama::return_freed_memory() noexcept {
#ifdef __GLIBC__
    // After many contexts of different sizes, glibc holds on to a fifth more than is in use. It walks all of the
    // process's memory to give it back, so that is done now and then only.
    using clock = std::chrono::steady_clock;
    constexpr clock::rep pause = std::chrono::duration_cast<clock::duration>(std::chrono::seconds(5)).count();
    static std::atomic<clock::rep> next{0};
    const clock::rep now = clock::now().time_since_epoch().count();
    clock::rep expected = next.load();
    if (now >= expected && next.compare_exchange_strong(expected, now + pause)) {
        malloc_trim(0);
    }
#endif
}
