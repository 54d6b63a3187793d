// See Documentation/decisions/untouched-cells.md.

#include "untouched-memory.h"

#include <cstring>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

[[maybe_unused]] static thread_local bool leaves_untouched = false;

extern "C" void ggml_leave_untouched(bool value) { leaves_untouched = value; }

void clear_memory(void *memory, uint8_t value, size_t size) {
    auto *const first = static_cast<char *>(memory);
#if defined(__linux__)
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t before = (page - reinterpret_cast<uintptr_t>(first) % page) % page;
    const size_t whole = size > before ? (size - before) / page * page : 0;
    if (leaves_untouched && value == 0 && whole > 0 && madvise(first + before, whole, MADV_DONTNEED) == 0) {
        std::memset(first, 0, before);
        std::memset(first + before + whole, 0, size - before - whole);
        return;
    }
#endif
    std::memset(first, value, size);
}
