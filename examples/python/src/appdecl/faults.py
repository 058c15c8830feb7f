"""Which fault an error of the operating system is."""

from __future__ import annotations

import errno
from typing import Callable, ParamSpec, TypeVar

from .host import Fault, FaultCode

__all__ = ["asked", "fault", "is_unicode"]

_CODES: dict[FaultCode, tuple[int, ...]] = {
    "absent": (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG),
    "denied": (errno.EACCES, errno.EPERM),
    "locked": (errno.EAGAIN, errno.ETXTBSY, errno.EBUSY),
}
# https://learn.microsoft.com/windows/win32/debug/system-error-codes
_WINDOWS_CODES: dict[FaultCode, tuple[int, ...]] = {
    "absent": (2, 3, 15, 21, 53, 123, 161, 206, 267, 303, 1018),
    "denied": (5, 1314),
    "locked": (32, 33),
}

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


def asked(call: Callable[Arguments, Answer], *arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
    """What a call of the system answers. Raises the `Fault` that its error stands for."""
    try:
        return call(*arguments, **named)
    except OSError as error:
        raise fault(error) from None


def fault(error: OSError) -> Fault:
    number = getattr(error, "winerror", None)
    codes, number = (_CODES, error.errno) if number is None else (_WINDOWS_CODES, number)
    for code, numbers in codes.items():
        if number in numbers:
            return Fault(code, error.strerror or "")
    return Fault("io", error.strerror or "")


def is_unicode(text: str) -> bool:
    """Whether a text of the system has nothing in it that is none, for which Python has lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
