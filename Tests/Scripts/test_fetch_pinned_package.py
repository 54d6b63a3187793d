"""A download counts only when its digest is right, and a damaged one is fetched again."""

import hashlib
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from script_sandbox import ScriptSandbox  # noqa: E402

CONTENT = b"the real thing"
DIGEST = hashlib.sha256(CONTENT).hexdigest()

# Plays `python3 -m pip download ... --dest FOLDER ...`: writes what SERVED says and counts its calls.
PIP = """
while [ $# -gt 0 ]; do
    if [ "$1" = --dest ]; then printf '%s' "$SERVED" >"$2/thing-1.whl"; fi
    shift
done
echo called >>"$CALLS"
"""


class FetchPinnedPackage(unittest.TestCase):
    def setUp(self):
        self.sandbox = ScriptSandbox()
        self.addCleanup(self.sandbox.close)
        self.sandbox.stand_in("python3", PIP)
        self.calls = self.sandbox.root / "calls"
        self.cached = self.sandbox.cache / "downloads" / "thing-1.whl"

    def fetch(self, served=CONTENT.decode()):
        return self.sandbox.run(
            "fetch-pinned-package", "thing", "1", "thing-1.whl", DIGEST, SERVED=served, CALLS=str(self.calls)
        )

    def call_count(self):
        return len(self.calls.read_text().splitlines()) if self.calls.exists() else 0

    def test_a_download_is_kept_and_used_again(self):
        first, second = self.fetch(), self.fetch()
        self.assertEqual((first.stdout, second.stdout), (f"{self.cached}\n", f"{self.cached}\n"))
        self.assertEqual(self.call_count(), 1)

    def test_a_damaged_file_in_the_cache_is_fetched_again(self):
        self.fetch()
        self.cached.write_bytes(CONTENT[:4])
        result = self.fetch()
        self.assertEqual(result.returncode, 0)
        self.assertEqual(self.cached.read_bytes(), CONTENT)
        self.assertEqual(self.call_count(), 2)

    def test_another_content_is_refused_and_not_kept(self):
        result = self.fetch(served="something else")
        self.assertEqual(result.returncode, 1)
        self.assertIn("another digest", result.stderr)
        self.assertFalse(self.cached.exists())

    def test_a_failed_download_says_what_to_do(self):
        self.sandbox.stand_in("python3", "exit 1")
        result = self.fetch()
        self.assertEqual(result.returncode, 1)
        self.assertIn("Check the network", result.stderr)

    def test_nothing_half_done_is_left_in_the_work_folder(self):
        self.fetch(served="something else")
        self.assertEqual(list((self.sandbox.cache / "work").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
