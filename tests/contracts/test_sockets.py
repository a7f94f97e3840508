"""Nothing but egress/ and models/ may open a connection, so nothing else imports what can.

One file is let off: the suites' web on loopback listens there, and leads a transport that was made for it there
(docs/decisions/0012-a-web-for-the-suites.md).
"""

import ast
from pathlib import Path

import affidavit

SOURCE = Path(affidavit.__file__).parent
NETWORK = {
    "socket", "ssl", "http", "urllib3", "requests", "httpx", "httpx2", "httpcore", "httpcore2", "aiohttp", "ftplib",
    "smtplib", "asyncio.streams", "urllib.request", "xmlrpc", "websockets", "huggingface_hub",
}  # fmt: skip

LOOPBACK = "evals/loopback.py"


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in names if name in NETWORK or name.partition(".")[0] in NETWORK}


def test_no_room_but_egress_and_models_imports_what_opens_sockets():
    rooms = [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] not in ("egress", "models")]
    assert len(rooms) > 100
    found = {str(path.relative_to(SOURCE)): names for path in rooms if (names := imported(path))}
    assert found == {LOOPBACK: {"httpcore2", "ssl"}}


def test_the_product_does_not_know_the_suites_web():
    """What is not evals/ (or the command that runs them) imports nothing of evals/, so no run can be led there."""
    users = [
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] not in ("evals", "cli") and "affidavit.evals" in path.read_text("utf-8")
    ]
    assert users == []
