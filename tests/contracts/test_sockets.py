"""Nothing but egress/ and models/ may open a connection, so nothing else imports what can."""

import ast
from pathlib import Path

import affidavit

SOURCE = Path(affidavit.__file__).parent
NETWORK = {
    "socket", "ssl", "http", "urllib3", "requests", "httpx", "httpx2", "httpcore", "httpcore2", "aiohttp", "ftplib",
    "smtplib", "asyncio.streams", "urllib.request", "xmlrpc", "websockets", "huggingface_hub",
}  # fmt: skip


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
    assert {str(path.relative_to(SOURCE)): found for path in rooms if (found := imported(path))} == {}
