"""Studio's server: whom it answers, what it refuses, what it survives, what it does when nobody asks."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgpack
import pytest
from yarl import URL

from tests.studio.conftest import Tab, apart, served

SAMPLES = Path(__file__).parents[2] / "samples"
MARKUP = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served") / "project"
    folder.mkdir()
    shutil.copy(SAMPLES / "slider_crank" / "rigid.toml", folder / "rigid.toml")
    (folder / f"{MARKUP}.txt").write_text("text")
    (folder.parent / "secret.txt").write_text("secret")
    return folder


@pytest.fixture(scope="module")
def server(project: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with served(project) as found:
        yield found


def ask(address: str, *asked: dict[str, Any]) -> list[tuple[int, str]]:
    """Send requests with the cookie of the token, unless they say otherwise; returns status and text of each."""
    parts = urlsplit(address)
    base, token = f"http://{parts.netloc}", parts.query.removeprefix("token=")

    async def send() -> list[tuple[int, str]]:
        found = []
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
            for one in asked:
                headers = {"Cookie": f"floatframe-{parts.port}={token}", **one.get("headers", {})}
                method, path = one.get("method", "GET"), one["path"]
                url = URL(base + path, encoded=True)
                async with session.request(method, url, headers=headers, data=one.get("data")) as answer:
                    found.append((answer.status, await answer.text(errors="replace")))
        return found

    return apart(send())


def test_only_those_with_the_token_are_answered(server):
    _, address = server
    port = urlsplit(address).port
    wrong = {"Cookie": f"floatframe-{port}=guess"}
    none = {"Cookie": "a=b"}
    answers = ask(
        address,
        *(
            {"path": path, "headers": wrong}
            for path in ("/", "/index.html", "/ws", "/view/fe", "/file?name=rigid.toml")
        ),
        {"path": "/?token=guess", "headers": none},
        {"path": "/paraview/", "method": "POST", "headers": none},
        {"path": "/upload?name=a.txt", "method": "POST", "headers": {**none, "X-Floatframe": "1"}},
        {"path": "/index.html", "headers": {"Host": f"localhost:{port}"}},
        {"path": "/index.html", "headers": {"Host": f"evil.example:{port}"}},
        {"path": "/ws", "headers": {"Origin": "https://evil.example"}},
    )
    assert {status for status, _ in answers} == {403}
    assert ask(address, {"path": "/index.html"})[0][0] == 200


def test_the_server_listens_on_this_machine_only(server):
    """Another address of this machine, which the rest of 127.0.0.0/8 and ::1 are, is not answered."""
    port = urlsplit(server[1]).port
    for host in ("127.0.0.2", "::1"):
        with (
            pytest.raises((ConnectionRefusedError, TimeoutError, socket.gaierror)),
            socket.create_connection((host, port), timeout=2),
        ):
            pass


@pytest.mark.parametrize(
    "path",
    [
        "/file?name=../secret.txt",
        "/file?name=%2e%2e%2fsecret.txt",
        "/file?name=/etc/passwd",
        "/file?name=..%5csecret.txt",
        "/file?name=a%00b",
        "/__studio/../../cli/main.py",
        "/__studio/%2e%2e/%2e%2e/cli/main.py",
        "/__studio/..%2f..%2fcli/main.py",
        "/view/..%2f..%2fsecret.txt",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
    ],
)
def test_paths_that_lead_out_are_refused(server, path):
    status, text = ask(server[1], {"path": path})[0]
    assert status in (400, 403, 404)
    assert "secret" not in text.replace("secret.txt", "")
    assert "def main" not in text


def test_uploads_stay_in_the_folder_and_write_over_nothing(server, project):
    before = (project / "rigid.toml").read_bytes()
    ours = {"method": "POST", "data": b"x", "headers": {"X-Floatframe": "1"}}
    names = ("../out.txt", "rigid.toml", ".hidden", "/tmp/out.txt", "sub/out.txt", "")
    answers = ask(server[1], *({**ours, "path": f"/upload?name={name}"} for name in names))
    assert all(status >= 400 for status, _ in answers)
    assert ask(server[1], {"path": "/upload?name=a.txt", "method": "POST", "data": b"x"})[0][0] == 403
    assert ask(server[1], {**ours, "path": "/upload?name=new.txt"})[0][0] == 200
    assert (project / "new.txt").read_bytes() == b"x"
    assert (project / "rigid.toml").read_bytes() == before
    assert not (project.parent / "out.txt").exists()


def test_malformed_messages_leave_it_running(server):
    """1000 messages: bytes, broken and wrong MessagePack, calls of everything with anything."""
    process, address = server
    parts, rng = urlsplit(address), random.Random(26)
    token = parts.query.removeprefix("token=")
    things: list[Any] = [None, -1, 1e308, "", "../..", MARKUP, [], [[]], {}, {"key": "page"}, True, "x" * 10_000]
    methods = ["trame.trigger", "trame.state.update", "trame.state.get", "trame.force.push", "trame.lifecycle.update"]
    triggers = ["view_picked", "uploaded", "save_key", "no_such_trigger", "trigger__1"]

    def message() -> bytes:
        kind = rng.choices(range(5), (1, 2, 10, 10, 1))[0]  # those that end a connection are rare
        if kind == 0:
            return rng.randbytes(rng.randrange(200))
        args = [rng.choice(things) for _ in range(rng.randrange(4))]
        method = rng.choice([*methods, rng.choice(things)])
        if method == "trame.trigger" and kind > 1:
            args = [rng.choice(triggers), [rng.choice(things) for _ in range(rng.randrange(4))], {}]
        if method == "trame.state.update" and kind > 1:
            keys = ["page", "dark", "results_search", "reduce_n", "machine_chosen", "fe_picked", "analyse_output", "x"]
            keys += ["fe_pick", "fe_elements", "closed", "files"]
            args = [[{"key": rng.choice(keys), "value": rng.choice(things)}]]
        body = {"wslink": "1.0", "id": rng.choice(["rpc:c1:1", *things]), "method": method, "args": args, "kwargs": {}}
        packed = msgpack.packb(body if kind > 1 else rng.choice(things))
        chunk = rng.randbytes(4) + (0).to_bytes(4, "little") + len(packed).to_bytes(4, "little") + packed
        return chunk if kind != 4 else chunk[: rng.randrange(len(chunk))]

    timeout = aiohttp.ClientWSTimeout(ws_close=0.2)  # a server that was insulted need not say goodbye

    async def attack() -> None:
        headers = {"Cookie": f"floatframe-{parts.port}={token}"}
        async with aiohttp.ClientSession() as session:
            sent = 0
            while sent < 1000:
                async with session.ws_connect(f"http://{parts.netloc}/ws", headers=headers, timeout=timeout) as socket:
                    hello = {
                        "wslink": "1.0",
                        "id": "system:c0:0",
                        "method": "wslink.hello",
                        "args": [{"secret": token}],
                    }
                    packed = msgpack.packb(hello)
                    head = b"abcd" + (0).to_bytes(4, "little") + len(packed).to_bytes(4, "little")
                    await socket.send_bytes(head + packed)
                    assert b"clientID" in (await socket.receive_bytes())
                    for _ in range(50):
                        if socket.closed:
                            break
                        sent += 1
                        try:
                            if rng.random() < 0.05:
                                await socket.send_str(rng.choice(["{", "[]", MARKUP]))
                            else:
                                await socket.send_bytes(message())
                        except (ConnectionError, aiohttp.ClientError):
                            break
                    await asyncio.sleep(0.02)

    apart(attack())
    assert process.poll() is None
    assert ask(address, {"path": "/index.html"})[0][0] == 200


def test_names_with_markup_are_shown_as_text(browser, project):
    text = (project / "rigid.toml").read_text(encoding="utf-8")
    (project / "odd.toml").write_text(text.replace('"slider_crank_rigid"', f'"{MARKUP}"'), encoding="utf-8")
    with served(project) as (_, address):
        tab = Tab(browser, address)
        tab.page.on("dialog", lambda dialog: tab.errors.append("a dialog was opened"))
        tab.page.wait_for_selector("[data-files]")
        tab.page.click("[data-all-files] input")
        tab.page.locator("[data-files]").get_by_text(f"{MARKUP}.txt").wait_for()
        tab.click("open=odd.toml")
        tab.wait("state('machine_mistakes').length > 0 || state('machine_view')")
        said = "trame.state.set('note_page', 'machine'); trame.state.set('note', '<img src=x onerror=alert(2)>')"
        tab.page.evaluate(said)
        tab.page.wait_for_selector("[data-note]")
        assert tab.page.locator("img[src=x]").count() == 0
        assert tab.errors == []


@pytest.mark.skipif(not Path("/proc").exists(), reason="counts processor time by /proc")
def test_nothing_is_computed_when_nobody_asks(browser, project):
    with served(project) as (process, address):
        tab = Tab(browser, address)
        tab.page.wait_for_selector("[data-files]")
        time.sleep(1.0)

        def spent() -> int:
            return sum(map(int, Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]))

        before = spent()
        time.sleep(3.0)
        assert spent() - before <= 3  # hundredths of a second in three: 1 % at most
        # and it ends by itself when the tab is closed, within its patience of five seconds
        tab.page.context.close()
        assert process.wait(timeout=30) == 0


def test_a_missing_package_is_one_sentence(tmp_path):
    code = "import sys; sys.modules['trame'] = None; from floatframe.cli.main import main; main(['studio'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "pip install 'floatframe[studio]'" in done.stderr


def test_json_of_progress_goes_to_programs_only(tmp_path):
    shutil.copy(SAMPLES / "slider_crank" / "rigid.toml", tmp_path)
    words = [sys.executable, "-m", "floatframe", "simulate", "rigid.toml", "-o", "run.h5", "--t-end", "0.01"]
    plain = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert plain.stderr == ""
    env = {**os.environ, "FLOATFRAME_PROGRESS": "lines"}
    lines = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=env).stderr.strip("\n").split("\n")
    assert lines
    assert all(len(json.loads(line.removeprefix("\x1eprogress "))) == 3 for line in lines)
