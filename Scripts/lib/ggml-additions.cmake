# Included by ggml's project: what its kernels need to be right and fast, without changes to its sources.
# Documentation/decisions has a note on each.

# amx-tiles.md: the one file that configures AMX tiles gets the header beside this file.
function(configure_whole_tiles)
    set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/src/ggml-cpu/amx/mmq.cpp"
        TARGET_DIRECTORY ggml-cpu
        PROPERTIES COMPILE_OPTIONS "-include;${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tile-configuration.h")
endfunction()

# one-order-of-attention.md: what a token attends to is added up in the same order alone and among others. A copy of
# ggml's file is compiled that asks the kernel beside this file first, and never splits what a token attends to.
function(attend_in_one_order)
    set(split "const bool use_split_kv_path = !use_ref")
    set(ours "if (attend_over_cells(params, dst)) {\n        return;\n    }\n\n    ")
    set(folder "${CMAKE_CURRENT_SOURCE_DIR}/src/ggml-cpu")
    set(additions "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
    set(copy "${CMAKE_CURRENT_BINARY_DIR}/one-order-of-attention.cpp")
    set(kernel "${additions}/attention-over-cells.cpp")
    file(READ "${folder}/ops.cpp" code)
    string(REPLACE "${split}" "${ours}const bool use_split_kv_path = false && !use_ref" changed "${code}")
    string(REGEX MATCHALL "${split}" places "${code}")
    list(LENGTH places count)
    get_target_property(sources ggml-cpu SOURCES)
    list(TRANSFORM sources REPLACE "^(.*/)?ggml-cpu/ops\\.cpp$" "${copy}")
    if(NOT count EQUAL 1 OR NOT copy IN_LIST sources)
        message(FATAL_ERROR "ggml-cpu/ops.cpp has changed: see Documentation/decisions/one-order-of-attention.md")
    endif()
    file(CONFIGURE OUTPUT "${copy}" CONTENT "#include \"attention-over-cells.h\"\n\n@changed@" @ONLY)
    set_target_properties(ggml-cpu PROPERTIES SOURCES "${sources};${kernel}")
    set_source_files_properties("${copy}" "${kernel}" TARGET_DIRECTORY ggml-cpu
        PROPERTIES INCLUDE_DIRECTORIES "${folder};${additions}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/ops.cpp")
endfunction()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64")
    cmake_language(DEFER CALL configure_whole_tiles)
    # avx512-fp16.md; compilers that do not know the switch do not use the instructions either.
    include(CheckCXXCompilerFlag)
    check_cxx_compiler_flag(-mno-avx512fp16 can_refuse_avx512fp16)
    if(can_refuse_avx512fp16)
        add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-mno-avx512fp16>")
    endif()
endif()
cmake_language(DEFER CALL attend_in_one_order)
