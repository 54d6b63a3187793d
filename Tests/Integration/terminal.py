"""A program at a terminal, and somebody who types at it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

CONTROL = re.compile(rb"\x1b\[[?0-9;]*[A-Za-z]")


class Terminal:
    """Runs a program with a terminal of its own for all three streams."""

    def __init__(self, *arguments, columns=80, rows=24, **variables):
        self.output = b""
        self.status = None
        environment = {**os.environ, "TERM": "xterm", **variables}
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.execve(arguments[0], list(arguments), environment)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def text(self):
        """What was written, without what steers the terminal."""
        return CONTROL.sub(b"", self.output).decode("utf-8", errors="replace").replace("\r", "")

    @property
    def echoes(self):
        """Whether the terminal shows what is typed by itself."""
        return bool(termios.tcgetattr(self.descriptor)[3] & termios.ECHO)

    def type(self, text):
        os.write(self.descriptor, text.encode() if isinstance(text, str) else text)

    def forget(self):
        self.output = b""

    def expect(self, text, seconds=60):
        """Reads until `text` was written."""
        end = time.monotonic() + seconds
        while text not in self.text:
            if not self._read(end - time.monotonic()):
                raise AssertionError(f"{text!r} was not written, but {self.text!r}")

    def prompt(self):
        """Reads until the next line can be typed."""
        self.expect("> ")

    def signal(self, number):
        os.kill(self.process, number)

    def wait(self, seconds=60):
        """The exit code, once the program has ended."""
        end = time.monotonic() + seconds
        while self._read(end - time.monotonic()):
            pass
        if self.status is None:
            _, self.status = os.waitpid(self.process, 0)
        return os.waitstatus_to_exitcode(self.status)

    def close(self):
        if self.status is None:
            try:
                os.kill(self.process, signal.SIGKILL)
                _, self.status = os.waitpid(self.process, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        os.close(self.descriptor)

    def _read(self, seconds):
        """Takes what was written meanwhile; false at the end, or when nothing comes."""
        ready, _, _ = select.select([self.descriptor], [], [], max(0, seconds))
        if not ready:
            return False
        try:
            piece = os.read(self.descriptor, 4096)
        except OSError:
            return False
        self.output += piece
        return piece != b""
