"""Keeping tokens out of logs."""

from __future__ import annotations

import logging
import threading
from typing import Any

__all__ = ["RedactingFilter"]

_MASK = "***"
_MAX_SECRETS = 4096


class RedactingFilter(logging.Filter):
    """A filter that masks every known secret in what the given handlers write.

    It stands on handlers, not on loggers: a logger's filter does not see the records of the loggers below it.

        redactor = RedactingFilter(*logging.getLogger().handlers)
        gate = Gate(redactor=redactor.redact)
    """

    def __init__(self, *handlers: logging.Handler) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._secrets: tuple[str, ...] = ()
        self._guarded = bool(handlers)
        for handler in handlers:
            handler.addFilter(self)

    def redact(self, secret: str) -> bool:
        """Takes a secret; false where it guards no handler or knows 4,096 secrets already, and so promises nothing."""
        with self._lock:
            if not self._guarded or (secret not in self._secrets and len(self._secrets) >= _MAX_SECRETS):
                return False
            if secret not in self._secrets:
                # The longest first: a secret may hold another.
                self._secrets = tuple(sorted({*self._secrets, secret}, key=len, reverse=True))
            return True

    def filter(self, record: logging.LogRecord) -> bool:
        """Masks the message, the traceback and every further attribute of a record. Lets every record pass."""
        if self._secrets:
            try:
                record.msg, record.args = self._masked(record.getMessage()), None
            except Exception:
                # Arguments that do not fit: `logging` would print them, with what they hold.
                record.msg, record.args = "a log record whose arguments do not fit its message", None
            if record.exc_info and not record.exc_text:
                record.exc_text = logging.Formatter().formatException(record.exc_info)
            # Formatters that make a traceback of their own would make it of the exception as it is.
            record.exc_info = None
            for name, value in record.__dict__.items():
                record.__dict__[name] = self._masked(value)
        return True

    def _masked(self, value: Any) -> Any:
        if isinstance(value, str):
            for secret in self._secrets:
                value = value.replace(secret, _MASK)
            return value
        if isinstance(value, dict):
            return {key: self._masked(held) for key, held in value.items()}
        if isinstance(value, list):
            return [self._masked(held) for held in value]
        if isinstance(value, tuple):
            return tuple(self._masked(held) for held in value)
        return value
