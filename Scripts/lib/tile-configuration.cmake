# Included by ggml's project: once its targets exist, the one file that configures AMX tiles gets the header beside
# this file.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64")
    set(tile_source "${CMAKE_CURRENT_SOURCE_DIR}/src/ggml-cpu/amx/mmq.cpp")
    set(tile_options "-include;${CMAKE_CURRENT_LIST_DIR}/tile-configuration.h")
    cmake_language(EVAL CODE "
        cmake_language(DEFER CALL set_source_files_properties [[${tile_source}]]
            TARGET_DIRECTORY ggml-cpu PROPERTIES COMPILE_OPTIONS [[${tile_options}]])
    ")
endif()
