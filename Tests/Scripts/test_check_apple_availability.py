"""The availability check must find what would be reached on systems without the framework."""

import pathlib
import subprocess
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "check-apple-availability"

CONDITION = "#if canImport(FoundationModels) && (canImport(Darwin) || APPLE_SDK_STUBS)"
FRAMEWORK = f"""{CONDITION}
    import FoundationModels

    /// A model: {{.
    @available(macOS 26.0, iOS 26.0, *)
    struct Model {{
        struct Inner {{}}
        let text = "}} struct Quoted"
    }}

    @available(macOS 26.0, iOS 26.0, *)
    extension String {{
        func hello() {{}}
    }}
#endif
"""
ASKING = """enum Access {
    static func model() -> Any? {
        // A Model is asked for.
        if #available(macOS 26.0, iOS 26.0, *) { return Model() }
        if #available(macOS 26.0, iOS 26.0, *) {
            return [Model()]
        }
        return "Model"
    }
}
"""


def run(**files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "Sources").mkdir()
        for name, text in files.items():
            (root / "Sources" / f"{name}.swift").write_text(text, encoding="utf-8")
        return subprocess.run([CHECK, folder], capture_output=True, text=True)


class Availability(unittest.TestCase):
    def test_guarded_code_passes(self):
        result = run(Model=FRAMEWORK, Access=ASKING)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_declaration_without_the_line_is_named(self):
        result = run(Model=FRAMEWORK.replace("    @available(macOS 26.0, iOS 26.0, *)\n    extension", "    extension"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("Sources/Model.swift:11: extension String lacks @available", result.stderr)

    def test_another_version_is_not_enough(self):
        result = run(Model=FRAMEWORK.replace("macOS 26.0, iOS 26.0, *)\n    struct", "macOS 26.0, *)\n    struct"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("struct Model lacks", result.stderr)

    def test_a_file_without_the_condition_is_named(self):
        result = run(Model=FRAMEWORK.replace(CONDITION, "#if canImport(FoundationModels)"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("does not begin with", result.stderr)

    def test_a_part_outside_of_the_condition_is_named(self):
        result = run(Model=FRAMEWORK.replace("#endif", "#else\n    import Foundation\n#endif"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("has a part outside", result.stderr)

    def test_a_use_without_asking_is_named(self):
        result = run(Model=FRAMEWORK, Access=ASKING.replace('return "Model"', "return Model()"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("Sources/Access.swift:8: Model is used without asking", result.stderr)

    def test_code_without_the_framework_is_not_looked_at(self):
        self.assertEqual(run(Other="struct Model {}\n").returncode, 0)


if __name__ == "__main__":
    unittest.main()
