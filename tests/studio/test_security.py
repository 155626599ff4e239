"""Who may speak to the server."""

from __future__ import annotations

import pytest

from floatframe.studio.security import Guard


@pytest.fixture
def guard() -> Guard:
    return Guard(port=1234)


def test_the_token_in_the_address_or_the_cookie_opens(guard):
    headers = {"Host": "127.0.0.1:1234"}
    assert guard.refusal(headers, {}, {"token": guard.token}) == ""
    assert guard.refusal({**headers, "Origin": "http://127.0.0.1:1234"}, {"floatframe-1234": guard.token}, {}) == ""


@pytest.mark.parametrize(
    ("headers", "known"),
    [
        ({"Host": "127.0.0.1:1234"}, False),
        ({"Host": "localhost:1234"}, True),
        ({"Host": "evil.example:1234"}, True),
        ({}, True),
        ({"Host": "127.0.0.1:1234", "Origin": "https://evil.example"}, True),
        ({"Host": "127.0.0.1:1234", "Origin": "null"}, True),
    ],
)
def test_others_are_refused(guard, headers, known):
    assert guard.refusal(headers, {}, {"token": guard.token if known else "guess"}) != ""


def test_every_server_has_a_token_of_its_own():
    assert Guard().token != Guard().token
    assert len(Guard().token) >= 32
