# Included by ggml's project: what its kernels need to be right and fast, without changes to its sources.
# Documentation/decisions has a note on each.

# amx-tiles.md: the one file that configures AMX tiles gets the header beside this file.
function(configure_whole_tiles)
    set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/src/ggml-cpu/amx/mmq.cpp"
        TARGET_DIRECTORY ggml-cpu
        PROPERTIES COMPILE_OPTIONS "-include;${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tile-configuration.h")
endfunction()

# Has another file compiled instead of one of ggml's, and finds headers for both. Stops when ggml's is not compiled.
function(compile_instead target file path note)
    set(folder "${CMAKE_CURRENT_SOURCE_DIR}/src")
    get_filename_component(own_folder "${folder}/${file}" DIRECTORY)
    get_target_property(sources ${target} SOURCES)
    list(TRANSFORM sources REPLACE "^(.*/)?${file}$" "${path}")
    if(NOT path IN_LIST sources)
        message(FATAL_ERROR "${file} is not compiled: see Documentation/decisions/${note}")
    endif()
    set_target_properties(${target} PROPERTIES SOURCES "${sources}")
    set_source_files_properties("${path}" TARGET_DIRECTORY ${target}
        PROPERTIES INCLUDE_DIRECTORIES "${folder};${folder}/ggml-cpu;${own_folder}")
endfunction()

# Has a copy of one of ggml's files compiled instead of it, in which texts that are there once are other ones. The names
# are those of the file, of the note that says why, and of a variable for the path of the copy; pairs of texts follow.
function(compile_changed target file note copy_name)
    set(original "${CMAKE_CURRENT_SOURCE_DIR}/src/${file}")
    get_filename_component(name "${file}" NAME_WE)
    set(copy "${CMAKE_CURRENT_BINARY_DIR}/changed-${name}.cpp")
    file(READ "${original}" code)
    while(ARGN)
        list(POP_FRONT ARGN text other)
        string(FIND "${code}" "${text}" first)
        string(FIND "${code}" "${text}" last REVERSE)
        if(first EQUAL -1 OR NOT first EQUAL last)
            message(FATAL_ERROR "${file} has changed: see Documentation/decisions/${note}")
        endif()
        string(REPLACE "${text}" "${other}" code "${code}")
    endwhile()
    file(CONFIGURE OUTPUT "${copy}" CONTENT "@code@" @ONLY)
    compile_instead(${target} "${file}" "${copy}" "${note}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${original}")
    set(${copy_name} "${copy}" PARENT_SCOPE)
endfunction()

# one-order-of-attention.md: what a token attends to is added up in the same order alone and among others. The kernel
# beside this file is asked first, and ggml's never splits what a token attends to.
function(attend_in_one_order)
    set(split "const bool use_split_kv_path = !use_ref")
    set(ours "if (attend_over_cells(params, dst)) {\n        return\;\n    }\n\n    ")
    compile_changed(ggml-cpu ggml-cpu/ops.cpp one-order-of-attention.md copy
        "${split}" "${ours}const bool use_split_kv_path = false && !use_ref")
    set(additions "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
    set(kernel "${additions}/attention-over-cells.cpp")
    target_sources(ggml-cpu PRIVATE "${kernel}")
    set_source_files_properties("${copy}" TARGET_DIRECTORY ggml-cpu
        PROPERTIES COMPILE_OPTIONS "-include;${additions}/attention-over-cells.h")
    set_source_files_properties("${kernel}" TARGET_DIRECTORY ggml-cpu
        PROPERTIES INCLUDE_DIRECTORIES "${CMAKE_CURRENT_SOURCE_DIR}/src/ggml-cpu")
endfunction()

# one-order-of-products.md: products with few columns are added up as those with many.
function(multiply_in_one_order)
    set(note one-order-of-products.md)
    set(additions "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
    compile_instead(ggml-cpu ggml-cpu/llamafile/sgemm.cpp "${additions}/one-column.cpp" ${note})
    compile_instead(ggml-cpu ggml-cpu/tiled/tiled.cpp "${additions}/few-columns.cpp" ${note})
    compile_changed(ggml-cpu ggml-cpu/repack.cpp ${note} copy
        "else if (cur->type == GGML_TYPE_Q2_K)" "else if (false)"
        "else if (cur->type == GGML_TYPE_Q4_K)" "else if (false)"
        "if (cur->type == GGML_TYPE_Q4_0) {" "if (cur->type == GGML_TYPE_Q4_0 && cur->ne[2] > 1) {"
        "if (cur->type == GGML_TYPE_IQ4_NL) {" "if (cur->type == GGML_TYPE_IQ4_NL && cur->ne[2] > 1) {")
    target_sources(ggml-cpu PRIVATE "${additions}/panel-products.cpp")
    set_source_files_properties("${additions}/panel-products.cpp" TARGET_DIRECTORY ggml-cpu
        PROPERTIES INCLUDE_DIRECTORIES "${CMAKE_CURRENT_SOURCE_DIR}/src/ggml-cpu")
    # What is rounded must not depend on the compiler.
    set(many_columns "${CMAKE_CURRENT_SOURCE_DIR}/src/ggml-cpu/tiled/tiled-kernel.cpp")
    if(NOT EXISTS "${many_columns}")
        message(FATAL_ERROR "ggml-cpu/tiled/tiled-kernel.cpp is not there: see Documentation/decisions/${note}")
    endif()
    set_source_files_properties("${additions}/few-columns.cpp" "${additions}/panel-products.cpp" "${many_columns}"
        TARGET_DIRECTORY ggml-cpu PROPERTIES COMPILE_OPTIONS "-ffp-contract=off")
endfunction()

# untouched-cells.md: memory that is cleared can stay untouched.
function(leave_memory_untouched)
    compile_changed(ggml-base ggml-backend.cpp untouched-cells.md copy
        "memset(buffer->context, value, buffer->size)" "clear_memory(buffer->context, value, buffer->size)")
    set(additions "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
    target_sources(ggml-base PRIVATE "${additions}/untouched-memory.cpp")
    set_source_files_properties("${copy}" TARGET_DIRECTORY ggml-base
        PROPERTIES COMPILE_OPTIONS "-include;${additions}/untouched-memory.h")
endfunction()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64")
    cmake_language(DEFER CALL configure_whole_tiles)
    cmake_language(DEFER CALL multiply_in_one_order)
    # avx512-fp16.md; compilers that do not know the switch do not use the instructions either.
    include(CheckCXXCompilerFlag)
    check_cxx_compiler_flag(-mno-avx512fp16 can_refuse_avx512fp16)
    if(can_refuse_avx512fp16)
        add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-mno-avx512fp16>")
    endif()
endif()
cmake_language(DEFER CALL attend_in_one_order)
cmake_language(DEFER CALL leave_memory_untouched)
