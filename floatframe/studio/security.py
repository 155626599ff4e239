"""Who may speak to the server: this machine's browser with the token, under the address that was opened."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

HOST = "127.0.0.1"
# what a page may load and do: its own server, nothing else; Vue makes its templates into functions
POLICY = (
    "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; connect-src 'self' data: blob:; frame-ancestors 'self'; "
    "form-action 'self'; base-uri 'self'; object-src 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


@dataclass
class Guard:
    """The token of one server and what it demands of requests; the port is known once the server listens."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    port: int = 0

    @property
    def address(self) -> str:
        """What the user opens."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    @property
    def cookie(self) -> str:
        """The name of the cookie; browsers do not keep those of different ports apart."""
        return f"floatframe-{self.port}"

    def is_token(self, word: str | None) -> bool:
        """Whether a word is the token."""
        return word is not None and hmac.compare_digest(word.encode(), self.token.encode())

    def refusal(self, headers: Mapping[str, str], cookies: Mapping[str, str], query: Mapping[str, str]) -> str:
        """Return why a request is refused, "" if it is not.

        Another name for this machine in the address is refused too: pages of others could have it point here.
        """
        if headers.get("Host") != f"{HOST}:{self.port}":
            return f"this server answers under {HOST}:{self.port} only"
        origin = headers.get("Origin")
        if origin is not None and origin != f"http://{HOST}:{self.port}":
            return "pages of others may not ask this server"
        if not self.is_token(cookies.get(self.cookie)) and not self.is_token(query.get("token")):
            return "open the address that `floatframe studio` printed, which has the token"
        return ""
