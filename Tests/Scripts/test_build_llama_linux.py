"""The artifact is built once, installed whole, left alone afterwards, and shared between clones."""

import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from script_sandbox import ScriptSandbox  # noqa: E402

LIBRARIES = """
src/libllama.a common/libllama-common.a common/libllama-common-base.a ggml/src/libggml.a
ggml/src/libggml-base.a ggml/src/libggml-cpu.a ggml/src/ggml-rpc/libggml-rpc.a tools/mtmd/libmtmd.a
vendor/cpp-httplib/libcpp-httplib.a vendor/hash/libvendor-hash.a
"""

# Plays `ninja -C BUILD TARGET...`: makes each library with one object in it.
NINJA = f"""
echo built >>"$BUILDS"
echo '[1/2] one'
if [ -n "${{NINJA_FAILS:-}}" ]; then echo 'FAILED: one'; exit 1; fi
cd "$2"
for library in {" ".join(LIBRARIES.split())}; do
    mkdir -p "$(dirname "$library")"
    echo object >object.o
    ar rc "$library" object.o
done
"""

SOURCE_FILES = {
    "CMakeLists.txt": 'set(LLAMA_VERSION_MAJOR 1)\nset(LLAMA_VERSION_MINOR 2)\nset(LLAMA_VERSION_PATCH 3)\n'
                      'option(LLAMA_BUILD_IS_DEV "llama: dev build" ON)\n',
    "ggml/CMakeLists.txt": "set(GGML_VERSION_MAJOR 0)\nset(GGML_VERSION_MINOR 9)\nset(GGML_VERSION_PATCH 8)\n",
    "include/llama.h": "// llama\n",
    "ggml/include/ggml.h": "// ggml\n",
    "tools/mtmd/mtmd.h": "// mtmd\n",
    "tools/mtmd/mtmd-helper.h": "// mtmd-helper\n",
    "common/chat.h": "#pragma once\n",
    "common/jinja/parser.h": "#pragma once\n",
    "models/templates/a.jinja": "{{ a }}",
    "models/ggml-vocab-a.gguf": "GGUF",
    "LICENSE": "MIT", "licenses/LICENSE-jsonhpp": "MIT", "vendor/hash/xxhash/LICENSE": "BSD",
    "cmake/a.cmake": "", "src/a.cpp": "", "vendor/a.h": "",
}


class BuildLlamaLinux(unittest.TestCase):
    def setUp(self):
        self.sandbox = ScriptSandbox()
        self.addCleanup(self.sandbox.close)
        self.source = self.sandbox.root / "llama.cpp"
        for name, text in SOURCE_FILES.items():
            path = self.source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.builds = self.sandbox.root / "builds"
        self.sandbox.stand_in("cmake", "exit 0")
        self.sandbox.stand_in("ninja", NINJA)
        self.sandbox.stand_in(
            "swift", """if [ "$1" = -print-target-info ]; then echo '"unversionedTriple": "x-y-linux",'; fi"""
        )
        self.current = self.sandbox.clone / "Vendor" / "llama-artifacts" / "current"

    def build(self, **environment):
        return self.sandbox.run(
            "build-llama-linux.sh", LLAMA_CPP_SOURCE=str(self.source), BUILDS=str(self.builds), **environment
        )

    def build_count(self):
        return len(self.builds.read_text().splitlines()) if self.builds.exists() else 0

    def test_the_artifact_has_its_fixed_layout(self):
        result = self.build()
        self.assertEqual(result.returncode, 0, result.stderr)
        for name in (
            "lib/libllama-combined.a", "include/llama.h", "include/common/chat.h", "include/common/jinja/parser.h",
            "llama.artifactbundle/info.json", "llama.artifactbundle/x-y-linux/libllama.a",
            "llama.artifactbundle/include/module.modulemap", "share/templates/a.jinja", "share/vocab/ggml-vocab-a.gguf",
            "licenses/llama.cpp", "licenses/licenses-LICENSE-jsonhpp", "licenses/xxhash-LICENSE",
        ):
            self.assertTrue((self.current / name).is_file(), name)
        members = subprocess.run(["ar", "t", self.current / "lib/libllama-combined.a"], capture_output=True, text=True)
        self.assertEqual(len(members.stdout.split()), 10)

    def test_the_artifact_says_what_it_was_built_from(self):
        self.build()
        self.assertEqual((self.current / "VERSION").read_text(), "llama.cpp 1.2.3-dev\ncommit unknown\nggml 0.9.8\n")
        header = (self.current / "include/carbocation-llama-build.h").read_text()
        self.assertIn('#define CARBOCATION_LLAMA_VERSION "1.2.3-dev"', header)
        self.assertIn('#define CARBOCATION_GGML_VERSION "0.9.8"', header)

    def test_a_second_run_touches_nothing(self):
        self.build()
        before = {path: path.stat().st_mtime_ns for path in self.current.rglob("*")}
        self.assertEqual(self.build().returncode, 0)
        self.assertEqual({path: path.stat().st_mtime_ns for path in self.current.rglob("*")}, before)
        self.assertEqual(self.build_count(), 1)

    def test_another_clone_installs_from_the_cache(self):
        self.build()
        shutil.rmtree(self.sandbox.clone / "Vendor")
        self.assertEqual(self.build().returncode, 0)
        self.assertTrue((self.current / "llama.artifactbundle/info.json").is_file())
        self.assertEqual(self.build_count(), 1)

    def test_a_failed_build_installs_nothing_and_the_next_run_succeeds(self):
        failed = self.build(NINJA_FAILS="1")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("FAILED: one", failed.stderr)
        self.assertIn("run the command again", failed.stderr)
        self.assertFalse(self.current.exists())
        self.assertEqual(self.build().returncode, 0)

    def test_an_installation_that_was_cut_off_is_done_again(self):
        self.build()
        (self.current / "KEY").unlink()
        shutil.rmtree(self.current / "include")
        self.assertEqual(self.build().returncode, 0)
        self.assertTrue((self.current / "include/llama.h").is_file())

    def test_a_damaged_archive_in_the_cache_is_built_again(self):
        self.build()
        shutil.rmtree(self.sandbox.clone / "Vendor")
        archive, = self.sandbox.cache.glob("artifacts/*/lib/libllama-combined.a")
        archive.write_bytes(b"damaged")
        self.assertEqual(self.build().returncode, 0)
        self.assertEqual(self.build_count(), 2)
        self.assertNotEqual((self.current / "lib/libllama-combined.a").read_bytes(), b"damaged")

    def test_changed_sources_are_another_artifact(self):
        self.build()
        (self.source / "src/a.cpp").write_text("int a;")
        self.assertEqual(self.build().returncode, 0)
        self.assertEqual(self.build_count(), 2)

    def test_a_folder_that_is_no_source_tree_is_refused(self):
        result = self.sandbox.run("build-llama-linux.sh", LLAMA_CPP_SOURCE=str(self.sandbox.root))
        self.assertEqual(result.returncode, 1)
        self.assertIn("is no llama.cpp source tree", result.stderr)


if __name__ == "__main__":
    unittest.main()
