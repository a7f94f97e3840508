"""Tells the service manager that a process is ready, or ending (sd_notify(3)), where one waits to hear it."""

import os
import socket

READY = "READY=1"
STOPPING = "STOPPING=1"


def notify(state: str) -> None:
    """Send `state` to the socket that NOTIFY_SOCKET names; nothing where it names none."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
        way.sendto(state.encode(), "\0" + address[1:] if address.startswith("@") else address)
