# Included by ggml's project. Documentation/decisions/amx-tiles.md and avx512-fp16.md say why.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64")
    # Once ggml's targets exist, the one file that configures AMX tiles gets the header beside this file.
    set(tile_source "${CMAKE_CURRENT_SOURCE_DIR}/src/ggml-cpu/amx/mmq.cpp")
    set(tile_options "-include;${CMAKE_CURRENT_LIST_DIR}/tile-configuration.h")
    cmake_language(EVAL CODE "
        cmake_language(DEFER CALL set_source_files_properties [[${tile_source}]]
            TARGET_DIRECTORY ggml-cpu PROPERTIES COMPILE_OPTIONS [[${tile_options}]])
    ")
    # Compilers that do not know the switch do not use the instructions either.
    include(CheckCXXCompilerFlag)
    check_cxx_compiler_flag(-mno-avx512fp16 can_refuse_avx512fp16)
    if(can_refuse_avx512fp16)
        add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-mno-avx512fp16>")
    endif()
endif()
