"""The machine that this program runs on: Linux, macOS or Windows.

Nothing here is a rule, and nothing is written, started or signalled. Each answer is read anew.
"""

from __future__ import annotations

import os
import stat
import sys
from typing import BinaryIO, List

from .faults import asked, is_unicode
from .host import Contents, Fault, Hive, Node, OsFamily, ProcessStatus, SessionFacts, Subkey, View

if sys.platform == "win32":
    from . import windows as system
elif sys.platform == "darwin":
    from . import darwin as system
else:
    from . import linux as system

__all__ = ["Machine"]


class Machine:
    """Answers of the real machine, as this process sees it."""

    def os(self) -> OsFamily:
        if sys.platform in ("win32", "darwin", "linux"):
            return sys.platform  # type: ignore[return-value]
        raise NotImplementedError(f"appdecl knows win32, darwin and linux, and this is {sys.platform}")

    def variable(self, name: str) -> str:
        # Names with `=` would be answers to a question nobody asked: Windows keeps a folder under `=C:`.
        if not name or "=" in name or name not in os.environ:
            raise Fault("absent", "the variable is not set")
        value = os.environ[name]
        if not is_unicode(value):
            raise Fault("unsupported", "the value is not Unicode text")
        return value

    def stat(self, path: str) -> Node:
        native = _native(path)
        status = asked(os.stat, native)
        if stat.S_ISREG(status.st_mode):
            return Node("file", system.may_execute(native))
        return Node("folder" if stat.S_ISDIR(status.st_mode) else "other", False)

    def list(self, folder: str, prefix: str) -> List[str]:
        native = _native(folder)
        if not stat.S_ISDIR(asked(os.stat, native).st_mode):
            raise Fault("not-regular", "this is not a folder")
        names = []
        with asked(os.scandir, native) as entries:
            for entry in entries:
                # On systems where case does not count the component sorts it out: the prefix is a hint.
                if sys.platform == "linux" and not entry.name.startswith(prefix):
                    continue
                if is_unicode(entry.name):
                    names.append(entry.name)
                if len(names) > 65_536:
                    raise Fault("too-large", "the folder holds more than 65536 such names")
        return names

    def plist(self, bundle: str) -> bytes:
        separator = "\\" if sys.platform == "win32" else "/"
        with _opened(f"{bundle.rstrip(separator)}{separator}Contents{separator}Info.plist") as file:
            content = asked(file.read, 1024 * 1024 + 1)
        if len(content) > 1024 * 1024:
            raise Fault("too-large", "Info.plist is larger than 1 MiB")
        return content

    def pe(self, path: str, offset: int, length: int) -> bytes:
        with _opened(path) as file:
            if asked(file.read, 2) != b"MZ":
                raise Fault("refused", "the file does not begin with `MZ`")
            if offset >= 1 << 63:
                return b""
            asked(file.seek, offset)
            return asked(file.read, min(length, 65_536))

    def subkeys(self, hive: Hive, view: View, key: str, values: List[str]) -> List[Subkey]:
        return system.subkeys(hive, view, key, values)

    def runtime_file(self, path: str) -> Contents:
        with _opened(path) as file:
            status = os.fstat(file.fileno())
            content = asked(file.read, 65_537)
        large = len(content) > 65_536
        modified = status.st_mtime_ns // 1_000_000
        owner, group, mode = system.ownership(status)
        return Contents(
            size=max(status.st_size, 65_537) if large else len(content),
            bytes=b"" if large else content,
            modified=max(modified, 0),
            owner=owner,
            group=group,
            mode=mode,
        )

    def process(self, pid: int) -> ProcessStatus:
        return system.process(pid)

    def session(self) -> SessionFacts:
        return system.session()


def _native(path: str) -> str:
    control = any(character < " " or "\x7f" <= character <= "\x9f" for character in path)
    if len(path) > 4096 or control:
        raise Fault("refused", "the path is too long, or holds a control character")
    return system.native(path)


def _opened(path: str) -> BinaryIO:
    """Opens a regular file for reading, without waiting for anybody."""
    native = _native(path)
    # To open a pipe or a device can already act on it.
    _expect_regular(asked(os.stat, native))
    file = open(system.open_file(native), "rb")
    try:
        _expect_regular(os.fstat(file.fileno()))
    except BaseException:
        file.close()
        raise
    return file


def _expect_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise Fault("not-regular", "this is not a regular file")
