#include "cl_runtime.h"

#include "guard.hpp"

#include "carbocation-llama-build.h"
#include "ggml.h"
#include "llama.h"

#include <string>

bool cl_runtime_is_available(void) noexcept {
    return true;
}

const char * cl_runtime_version(void) noexcept {
    return CARBOCATION_LLAMA_VERSION;
}

const char * cl_runtime_commit(void) noexcept {
    return CARBOCATION_LLAMA_COMMIT;
}

const char * cl_runtime_ggml_version(void) noexcept {
    return ggml_version();
}

const char * cl_runtime_system_info(void) noexcept {
    // llama.cpp rebuilds a shared string at each call, so it is asked only once.
    return cllama::guarded_value("", [] {
        static const std::string info = llama_print_system_info();
        return info.c_str();
    });
}
