"""The files of the package: those under version control, and those that could be."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def listed(*pathspecs):
    """Names, relative to the package, that match git pathspecs."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *pathspecs],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout
    return {name for name in listing.split("\0") if name}


def package_files(*pathspecs):
    """Names, relative to the package, of the present files that match git pathspecs, sorted."""
    return sorted(name for name in listed(*pathspecs) if (ROOT / name).is_file())


def package_links():
    """Names of the links to folders, sorted."""
    return sorted(name for name in listed() if (ROOT / name).is_symlink() and (ROOT / name).is_dir())
