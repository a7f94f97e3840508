"""All search APIs on one loopback server, over real HTTP and real TLS, told apart by the host that is asked for."""

import json
import ssl
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpcore2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from .provider_fakes import FAKES, Reply, Request, mediawiki, searxng

PUBLIC = "93.184.215.14"
"""The address that every name has for the client: a public one, so that the address table is not in the way."""


class ProviderServer:
    """`fakes` answer by host; replies queued with `will` come first. `asked` is every request, in order."""

    def __init__(self, folder: Path) -> None:
        self.fakes: dict[str, Callable[[Request], Reply]] = dict(FAKES)
        self.asked: list[Request] = []
        self._queued: dict[str, deque[Reply]] = defaultdict(deque)
        self.trust, served = _certificates(folder, list(FAKES))
        self._plain = self._start(None)
        self._tls = self._start(served)
        self.plain_port: int = self._plain.server_address[1]
        self.tls_port: int = self._tls.server_address[1]
        self.fakes[f"127.0.0.1:{self.plain_port}"] = self._own

    def will(self, host: str, *replies: Reply) -> None:
        """The next requests to `host` get these; later ones what the API answers."""
        self._queued[host].extend(replies)

    def forget(self) -> None:
        self.asked.clear()
        self._queued.clear()

    def close(self) -> None:
        for server in (self._plain, self._tls):
            server.shutdown()
            server.server_close()

    def answer(self, request: Request) -> Reply:
        self.asked.append(request)
        queued = self._queued[request.host]
        return queued.popleft() if queued else self.fakes[request.host](request)

    def _own(self, request: Request) -> Reply:
        return mediawiki(request) if request.path.endswith("/api.php") else searxng(request)

    def _start(self, context: ssl.SSLContext | None) -> ThreadingHTTPServer:
        server = _Server(("127.0.0.1", 0), _Handler)
        server.owner = self
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return server


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    owner: ProviderServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up in the middle is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._serve(None)

    def do_POST(self) -> None:
        self._serve(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def _serve(self, body: Mapping[str, object] | None) -> None:
        parts = urlsplit(self.path)
        request = Request(
            method=self.command,
            host=self.headers["Host"],
            path=parts.path,
            params=dict(parse_qsl(parts.query)),
            headers={name.lower(): value for name, value in self.headers.items()},
            body=body,
        )
        self._send(self.server.owner.answer(request))

    def _send(self, reply: Reply) -> None:
        if reply.fault in ("truncate", "drip", "endless", "hang", "drop"):
            self.close_connection = True
        if reply.fault == "drop":
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.fault != "endless":
            self.send_header("Content-Length", str(len(reply.body) + (reply.fault == "truncate")))
        self.end_headers()
        if reply.fault == "drip":
            for byte in reply.body:
                self.wfile.write(bytes((byte,)))
                self.wfile.flush()
                time.sleep(0.05)
        elif reply.fault == "endless":
            while True:
                self.wfile.write(b" " * 65_536)
        elif reply.fault == "hang":
            time.sleep(5)
        else:
            self.wfile.write(reply.body)


class ToServer(httpcore2.AsyncNetworkBackend):
    """Dials the public address to the server's TLS port, and private ones as they are. Notes what was dialled."""

    def __init__(self, tls_port: int) -> None:
        self._port = tls_port
        self._real = httpcore2.AnyIOBackend()
        self.dialled: list[tuple[str, int]] = []

    async def connect_tcp(self, host: str, port: int, *args: Any, **kwargs: Any) -> httpcore2.AsyncNetworkStream:
        self.dialled.append((host, port))
        if host == PUBLIC:
            host, port = "127.0.0.1", self._port
        return await self._real.connect_tcp(host, port, *args, **kwargs)

    async def sleep(self, seconds: float) -> None:
        await self._real.sleep(seconds)


class EverywherePublic:
    """A resolver for which every name has the one public address."""

    async def addresses(self, host: str) -> tuple[str, ...]:
        return (PUBLIC,)


def _certificates(folder: Path, hosts: list[str]) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A context that trusts a new authority, and a server's with a certificate of it for `hosts`."""
    authority, authority_key = _certificate("A test authority", None, None, [])
    certificate, key = _certificate("search APIs", authority, authority_key, hosts)
    pem = folder / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    pem.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(pem)
    trust = ssl.create_default_context(cadata=authority.public_bytes(serialization.Encoding.PEM).decode())
    return trust, served


def _certificate(
    name: str, issuer: x509.Certificate | None, issuer_key: ec.EllipticCurvePrivateKey | None, hosts: list[str]
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key((issuer_key or key).public_key()), critical=False
        )
    )
    if issuer is None:
        signs = x509.KeyUsage(
            digital_signature=True, content_commitment=False, key_encipherment=False, data_encipherment=False,
            key_agreement=False, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False,
        )  # fmt: skip
        builder = builder.add_extension(signs, critical=True)
    if hosts:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts]), False)
    return builder.sign(issuer_key or key, hashes.SHA256()), key
