"""Machines on paper for tests: a host of which each test changes one answer."""

from __future__ import annotations

import json
from typing import Any

from appdecl import Fault
from appdecl.host import Contents, LinuxSession, Node, ProcessStatus

LINUX = {"app": {"linux": {"presence": "executable", "location": "/opt/acme/acme"}}, "requires": {"app": True}}
RUNNING = {
    "app": {
        "linux": {
            "presence": "executable",
            "location": "/opt/acme/acme",
            "liveness": {"kind": "server_json", "path": "/run/acme.json"},
        }
    },
    "requires": {"app": True},
}
WINDOWS = {
    "app": {
        "win32": {
            "presence": "executable",
            "location": "C:\\Acme\\acme.exe",
            "version": {"kind": "uninstall_registry", "display_name_prefix": "Acme"},
        }
    },
    "requires": {"app": True, "min_version": "2.0"},
}
TOKEN = "s3cr3t-t0ken"


class Paper:
    """A Linux machine with the application installed and running."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        """By method: a function that is asked instead."""

    def __getattribute__(self, name: str) -> Any:
        answers = object.__getattribute__(self, "__dict__").get("answers", {})
        return answers[name] if name in answers else object.__getattribute__(self, name)

    def os(self) -> Any:
        return "linux"

    def variable(self, name: str) -> Any:
        raise Fault("absent")

    def stat(self, path: str) -> Any:
        return Node("file", True)

    def list(self, folder: str, prefix: str) -> Any:
        return []

    def plist(self, bundle: str) -> Any:
        raise Fault("absent")

    def pe(self, path: str, offset: int, length: int) -> Any:
        raise Fault("absent")

    def subkeys(self, hive: str, view: str, key: str, values: Any) -> Any:
        raise Fault("absent")

    def runtime_file(self, path: str) -> Any:
        content = json.dumps({"pid": 42, "http": "http://127.0.0.1:5000/x", "token": TOKEN}).encode()
        return Contents(len(content), content, 1000, "this-user", "this-user", 0o600)

    def process(self, pid: int) -> Any:
        return ProcessStatus("running", 500)

    def session(self) -> Any:
        return LinuxSession(1, True)
