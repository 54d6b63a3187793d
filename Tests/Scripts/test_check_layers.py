"""The layer check must refuse what the table does not allow, and say which arrow is wrong."""

import json
import pathlib
import subprocess
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "check-layers"


def run(targets, dependencies=()):
    manifest = {
        "dependencies": list(dependencies),
        "targets": [
            {"name": name, "dependencies": [{"byName": [lower, None]} for lower in lowers]}
            for name, lowers in targets.items()
        ],
    }
    return subprocess.run([CHECK, "-"], input=json.dumps(manifest), capture_output=True, text=True)


class Layers(unittest.TestCase):
    def test_declared_layers_pass(self):
        result = run({
            "GGUFFormat": [], "CarbocationLocalLLM": ["GGUFFormat"],
            "CarbocationLlamaRuntime": ["CarbocationLocalLLM", "CLlama"], "CLlama": ["llama"],
        })
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_an_arrow_upwards_is_named(self):
        result = run({"CarbocationLocalLLM": ["CarbocationLlamaRuntime"]})
        self.assertEqual(result.returncode, 1)
        self.assertIn("CarbocationLocalLLM may not depend on CarbocationLlamaRuntime", result.stderr)

    def test_an_undeclared_layer_is_refused(self):
        result = run({"Helpers": []})
        self.assertEqual(result.returncode, 1)
        self.assertIn("target Helpers has no layer", result.stderr)

    def test_tests_reach_what_their_subject_reaches(self):
        self.assertEqual(run({"CLLMCommandsTests": ["CLLMCommands", "GGUFFormat", "TestSupport"]}).returncode, 0)
        self.assertEqual(run({"GGUFFormatTests": ["CarbocationLocalLLM"]}).returncode, 1)

    def test_stand_ins_are_for_the_tests_of_what_they_stand_in_for(self):
        beside = ["AppleIntelligenceWithStubs", "CarbocationAppleIntelligenceRuntime", "FoundationModels"]
        self.assertEqual(run({"CarbocationAppleIntelligenceRuntimeTests": beside}).returncode, 0)
        self.assertEqual(run({"CarbocationLocalLLMRuntimeTests": ["FoundationModels"]}).returncode, 1)

    def test_a_package_dependency_is_refused(self):
        result = run({}, dependencies=[{"sourceControl": [{"identity": "other"}]}])
        self.assertEqual(result.returncode, 1)
        self.assertIn("depends on another package", result.stderr)


if __name__ == "__main__":
    unittest.main()
