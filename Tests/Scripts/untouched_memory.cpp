// Clears buffers of the built ggml and looks which of their pages count as memory: all of them as a rule, and none
// while `ggml_leave_untouched` holds, with zeros in either case.
//
// Prints a line for each case that fails, and ends with 0 when none does.

#include "ggml-backend.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" void ggml_leave_untouched(bool leaves_untouched);

namespace {

struct BufferDeleter {
    void operator()(ggml_backend_buffer *buffer) const { ggml_backend_buffer_free(buffer); }
};

// Whole pages of a buffer that count as memory.
size_t resident_pages(ggml_backend_buffer *buffer) {
    const auto page = size_t(sysconf(_SC_PAGESIZE));
    const auto first = reinterpret_cast<uintptr_t>(ggml_backend_buffer_get_base(buffer));
    const size_t size = ggml_backend_buffer_get_size(buffer), before = (page - first % page) % page;
    std::vector<unsigned char> pages(size > before ? (size - before) / page : 0);
    mincore(reinterpret_cast<void *>(first + before), pages.size() * page, pages.data());
    return size_t(std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return page & 1; }));
}

bool has_only(ggml_backend_buffer *buffer, uint8_t value) {
    const auto *first = static_cast<const uint8_t *>(ggml_backend_buffer_get_base(buffer));
    return std::all_of(first, first + ggml_backend_buffer_get_size(buffer),
                       [value](uint8_t byte) { return byte == value; });
}

bool holds(bool condition, size_t size, const char *what) {
    if (!condition) {
        std::printf("%zu bytes: %s\n", size, what);
    }
    return condition;
}

bool is_right(size_t size) {
    const std::unique_ptr<ggml_backend_buffer, BufferDeleter> buffer(
        ggml_backend_buft_alloc_buffer(ggml_backend_cpu_buffer_type(), size));
    ggml_backend_buffer_clear(buffer.get(), 7);
    const size_t pages = resident_pages(buffer.get());
    bool is_right = holds(has_only(buffer.get(), 7), size, "another value");

    ggml_leave_untouched(true);
    std::thread([&] { ggml_backend_buffer_clear(buffer.get(), 0); }).join();
    is_right &= holds(resident_pages(buffer.get()) == pages, size, "another thread's clearing gave pages back");
    ggml_backend_buffer_clear(buffer.get(), 7);
    ggml_backend_buffer_clear(buffer.get(), 0);
    is_right &= holds(resident_pages(buffer.get()) == 0, size, "pages were touched");
    is_right &= holds(has_only(buffer.get(), 0), size, "no zeros in pages that were given back");
    ggml_backend_buffer_clear(buffer.get(), 7);
    is_right &= holds(has_only(buffer.get(), 7), size, "another value while pages are left untouched");
    ggml_leave_untouched(false);

    ggml_backend_buffer_clear(buffer.get(), 0);
    is_right &= holds(resident_pages(buffer.get()) == pages, size, "pages were given back without being asked for");
    return is_right && holds(has_only(buffer.get(), 0), size, "no zeros");
}

} // namespace

int main() {
    bool is_right = true;
    for (const size_t size : {size_t(1), size_t(100), size_t(4096), size_t(12289), size_t(64) << 20}) {
        is_right &= ::is_right(size);
    }
    return is_right ? 0 : 1;
}
