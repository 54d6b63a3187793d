"""A copy of the scripts in a temporary clone, with a cache of its own and stand-ins for slow commands."""

import os
import pathlib
import shutil
import subprocess
import tempfile

PACKAGE = pathlib.Path(__file__).resolve().parents[2]


class ScriptSandbox:
    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self._folder.name)
        self.clone = self.root / "clone"
        self.cache = self.root / "cache"
        self.commands = self.root / "commands"
        self.commands.mkdir()
        shutil.copytree(PACKAGE / "Scripts", self.clone / "Scripts", ignore=shutil.ignore_patterns("__pycache__"))

    def close(self):
        self._folder.cleanup()

    def stand_in(self, name, script):
        """Puts a shell script ahead of the command of that name."""
        command = self.commands / name
        command.write_text(f"#!/usr/bin/env bash\nset -eu\n{script}\n")
        command.chmod(0o755)

    def run(self, script, *arguments, **environment):
        """Runs one of the scripts and returns the finished process."""
        variables = {
            **os.environ, "CARBOCATION_CACHE_DIR": str(self.cache),
            "PATH": f"{self.commands}:{os.environ['PATH']}", **environment,
        }
        return subprocess.run(
            [self.clone / "Scripts" / script, *arguments],
            env=variables, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )
