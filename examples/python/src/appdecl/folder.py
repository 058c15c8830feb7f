"""A package's folder: what is in it, and the beginnings of its files. Nothing here is a rule.

Links are not followed while a folder is listed; where each leads is told by comparing resolved paths.
"""

from __future__ import annotations

import os
import stat
from typing import Any, Iterator

from wasmtime.component import Record, Variant

from .contract import record
from .errors import PackageError

__all__ = ["Folder"]

# As many as the contract says (wit/gate/packages.wit), and so much text of paths as the component has memory for.
_MOST_ENTRIES = 100_000
_MOST_PATH_BYTES = 12 * 1024 * 1024
# So many links one behind the other are followed to tell a circle from a link to nothing. Systems allow 40.
_MOST_LINKS = 64
_NAME_SURROGATE = 0x20000000


class Folder:
    """A folder whose real path is known. Raises `PackageError` where it is not there or may not be looked at."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        try:
            self._real = os.path.realpath(shown, strict=True)
        except (OSError, ValueError) as error:
            raise _unreadable(shown, error) from error

    def list(self, *, below: bool = True) -> Record:
        """What is in the folder, and everything below it or not, as a `listing`. What disappears meanwhile is left out."""
        entries: list[Record] = []
        path_bytes = 0
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            for found in self._found(folder):
                entry = self._entry(folder, found)
                if entry is None:
                    continue
                path_bytes += len(entry.path.encode())
                if len(entries) == _MOST_ENTRIES or path_bytes > _MOST_PATH_BYTES:
                    return record([("entries", []), ("truncated", True)])
                # A name that is no text can not be asked for, nor what lies below it.
                if below and entry.kind == "folder" and entry.link is None and entry.exact:
                    waiting.append(entry.path)
                entries.append(entry)
        return record([("entries", entries), ("truncated", False)])

    def read(self, path: str, limit: int) -> bytes | str:
        """At most `limit` bytes from the beginning of a regular file in the folder, or the code of why there are none."""
        try:
            real = os.path.realpath(os.path.join(self._real, path), strict=True)
            if self._inside(real) is None:
                return "refused"
            # A pipe is not even opened: it could have somebody at its other end.
            if not stat.S_ISREG(os.lstat(real).st_mode):
                return "not-regular"
            flags = os.O_RDONLY
            for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):
                flags |= getattr(os, name, 0)
            with open(os.open(real, flags), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return "not-regular"
                return file.read(limit)
        except FileNotFoundError:
            return "absent"
        except PermissionError:
            return "denied"
        except OSError:
            return "io"

    def _found(self, folder: str) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self._real, folder)) as entries:
                yield from entries
        except FileNotFoundError as error:
            if not folder:
                raise _unreadable(self._shown, error) from error
        except OSError as error:
            raise _unreadable(os.path.join(self._shown, folder), error) from error

    def _entry(self, folder: str, found: os.DirEntry[str]) -> Any | None:
        try:
            status: os.stat_result | None = found.stat(follow_symlinks=False)
        except OSError:
            return None
        link = None
        if status is not None and _leads_elsewhere(status):
            link = self._follow(found.path)
            try:
                status = os.stat(found.path)
            except OSError:
                status = None
        name = found.name if found.name.isascii() else _shown(found.name)
        regular = status is not None and stat.S_ISREG(status.st_mode)
        is_folder = status is not None and stat.S_ISDIR(status.st_mode)
        return record(
            [
                ("path", f"{folder}/{name}" if folder else name),
                ("exact", name == found.name),
                ("kind", "folder" if is_folder else "file" if regular else "other"),
                ("size", status.st_size if status is not None and regular else 0),
                ("link", link),
            ]
        )

    def _follow(self, link: str) -> Variant:
        """Where a link leads."""
        try:
            inside = self._inside(os.path.realpath(link, strict=True))
        except OSError:
            return Variant("circle" if _is_circle(link) else "nowhere")
        return Variant("outside") if inside is None else Variant("inside", inside)

    def _inside(self, real: str) -> str | None:
        """The path of a thing as listings write it, by its resolved path; none where it is out of the folder."""
        if real == self._real:
            return ""
        root = self._real.rstrip(os.sep) + os.sep
        return _shown(real[len(root) :].replace(os.sep, "/")) if real.startswith(root) else None


def _leads_elsewhere(status: os.stat_result) -> bool:
    """Whether this is a symbolic link, or on Windows a junction or anything else that stands for another name."""
    tag: int = getattr(status, "st_reparse_tag", 0)
    return stat.S_ISLNK(status.st_mode) or bool(tag & _NAME_SURROGATE)


def _is_circle(link: str) -> bool:
    for _ in range(_MOST_LINKS):
        try:
            link = os.path.join(os.path.dirname(link), os.readlink(link))
        except OSError:
            return False
    return True


def _shown(name: str) -> str:
    """The name, with U+FFFD for what is no Unicode text."""
    if os.name == "nt":
        return name.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return os.fsencode(name).decode("utf-8", "replace")


def _unreadable(path: str, error: Exception) -> PackageError:
    if isinstance(error, FileNotFoundError):
        return PackageError(f"`{path}` does not exist")
    return PackageError(f"`{path}` can not be read: {getattr(error, 'strerror', None) or error}")
