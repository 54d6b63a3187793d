"""The files of the package: those under version control, and those that could be."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def package_files(*pathspecs):
    """Names, relative to the package, of the present files that match git pathspecs, sorted."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *pathspecs],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout
    return sorted({name for name in listing.split("\0") if name and (ROOT / name).is_file()})
