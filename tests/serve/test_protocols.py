"""HTTP/2, by prior knowledge and by ALPN; TLS."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from web_lab import PLAN, WORK, Serve, Server, start, wait_for


def curl(server: Server, *words: str, scheme: str = "http", path: str = "/hello/you") -> str:
    """What curl tells: the body, then version and status."""
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    address = f"{scheme}://localhost:{server.port}{path}"
    told = ["-s", "-k", "-w", " %{http_version} %{http_code}", "--max-time", "60"]
    done = subprocess.run(
        ["curl", *told, *words, address], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_http2_by_prior_knowledge(usual: Server, tmp_path: Path) -> None:
    assert curl(usual, "--http2-prior-knowledge") == "hello you 2 200"
    big = tmp_path / "big"
    big.write_bytes(b"abc" * 1_000_000)
    upload = ("--http2-prior-knowledge", "--data-binary", f"@{big}")
    assert '"bytes":3000000' in curl(usual, *upload, path="/digest")
    lines = curl(usual, "--http2-prior-knowledge", path="/count?to=2")
    assert lines == '{"number":0}\n{"number":1}\n 2 200'


def http2_get(path: str) -> bytes:
    """What a client of HTTP/2 says that asks for this, by RFC 9113 and RFC 7541."""
    name = b"localhost"
    fields = (
        b"\x82\x86\x04" + bytes([len(path)]) + path.encode() + b"\x01" + bytes([len(name)]) + name
    )
    settings = b"\0\0\0\x04\0\0\0\0\0"
    head = len(fields).to_bytes(3, "big") + b"\x01\x05\0\0\0\x01"  # its end, and the request's
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings + head + fields


def test_who_takes_nothing_of_an_answer_by_http2_frees_its_place(usual: Server) -> None:
    busy = 'cord_pool_busy{module="work"}'
    with usual.connect() as connection:
        connection.sendall(http2_get("/zeros?size=100000000"))
        wait_for(lambda: usual.metric(busy) == 1)
        wait_for(lambda: usual.metric(busy) == 0)  # no window is ever opened
        assert usual.metric("cord_http_connections") == 2


@pytest.fixture
def secure(tmp_path: Path, serve: Serve) -> Server:
    """A server with a certificate of its own."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-keyout",
            "key.pem",
            "-out",
            "cert.pem",
            "-subj",
            "/CN=localhost",
        ],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    files = ("--set", "http.cert=cert.pem", "--set", "http.key=key.pem")
    return start(tmp_path, WORK, PLAN, *files)


def test_tls_with_both_protocols(secure: Server) -> None:
    try:
        assert curl(secure, "--http1.1", scheme="https") == "hello you 1.1 200"
        assert curl(secure, "--http2", scheme="https") == "hello you 2 200"
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        with secure.connect() as bare, context.wrap_socket(bare) as connection:
            connection.sendall(b"nonsense\r\n\r\n")
            assert connection.recv(4096).startswith(b"HTTP/1.1 400 ")
        with secure.connect() as plain:  # who does not speak TLS is let go
            plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert b"HTTP" not in plain.recv(4096)
        assert secure.end() == 0
    finally:
        secure.process.kill()


def test_a_certificate_that_is_none(tmp_path: Path) -> None:
    import sys

    (tmp_path / "work.py").write_text(WORK)
    (tmp_path / "cord.toml").write_text(PLAN)
    (tmp_path / "cert.pem").write_text("no certificate")
    settings = ("http.bind=127.0.0.1:0", "http.cert=cert.pem", "http.key=cert.pem")
    words = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run(
        [sys.executable, "-m", "cord", "serve", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "there is no certificate in" in done.stderr
