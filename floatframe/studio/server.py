"""What the server answers: the guard before everything, views, frames of runs, files and uploads."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from floatframe.errors import FloatframeError, WriteError
from floatframe.io import complete_file
from floatframe.studio.app import Studio
from floatframe.studio.security import HEADERS, HOST, Guard
from floatframe.studio.texts import word

LARGEST_UPLOAD = 500_000_000  # bytes


@dataclass
class Tabs:
    """How many tabs are connected, and since when there is none [s of the monotonic clock]."""

    open: int = 0
    ever: bool = False
    since: float = field(default_factory=time.monotonic)

    async def count(self, connection: Awaitable[Any]) -> Any:
        """Count a tab as long as its connection lasts."""
        self.open, self.ever = self.open + 1, True
        try:
            return await connection
        finally:
            self.open -= 1
            self.since = time.monotonic()


def add_routes(app: Any, guard: Guard, studio: Studio, tabs: Tabs) -> None:
    """Put the guard before everything, and add views, frames, files and uploads."""

    @web.middleware
    async def guarded(request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        refusal = guard.refusal(request.headers, request.cookies, request.query)
        if refusal:
            return web.Response(status=403, text=refusal, headers=HEADERS)
        if request.path == "/" and guard.is_token(request.query.get("token")):
            entered = web.HTTPFound("/index.html")  # the token stays out of the history
            entered.set_cookie(guard.cookie, guard.token, httponly=True, samesite="Strict", path="/")
            raise entered
        response = await (tabs.count(handler(request)) if request.path == "/ws" else handler(request))
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    async def session(_: Any) -> Any:
        # what the page asks for before it connects; without the word the socket takes no messages
        found = {"sessionURL": f"ws://{HOST}:{guard.port}/ws", "secret": guard.token}
        return web.Response(text=json.dumps(found), content_type="application/json")

    async def view(request: Any) -> Any:
        found = studio.views.get(request.match_info["place"])
        if found is None:
            raise web.HTTPNotFound
        return web.Response(body=await asyncio.to_thread(lambda: found.page), content_type="text/html", charset="utf-8")

    async def frames(request: Any) -> Any:
        first = request.query.get("first", "0")
        if not first.isdecimal():
            raise web.HTTPBadRequest
        found = await studio.frames(request.match_info["place"], int(first))
        return web.Response(text=json.dumps(found), content_type="application/json")

    async def download(request: Any) -> Any:
        try:
            path = studio.project.inside(request.query.get("name", ""))
        except FloatframeError as error:
            raise web.HTTPForbidden(text=str(error)) from None
        if not path.is_file():
            raise web.HTTPNotFound
        # a page in the folder is somebody's: it must not run as one of ours
        kept = {"Content-Disposition": "inline" if path.suffix.lower() == ".png" else "attachment"}
        return web.FileResponse(path, headers=kept)

    async def upload(request: Any) -> Any:
        if request.headers.get("X-Floatframe") != "1":
            raise web.HTTPForbidden(text="uploads come from Studio's own page")
        name = request.query.get("name", "")
        try:
            path = studio.project.inside(name)
            if Path(name).name != name or name.startswith(".") or path.exists():
                return web.Response(status=409, text=word("upload.there", name))
            if (request.content_length or 0) > LARGEST_UPLOAD:
                return web.Response(status=413, text=word("upload.large", name, LARGEST_UPLOAD // 10**6))
            await _receive(request, path)
        except FloatframeError as error:
            return web.Response(status=403, text=str(error))
        return web.Response(text="")

    app.middlewares.append(guarded)
    app.router.add_post("/paraview/", session)
    app.router.add_get("/view/{place}", view)
    app.router.add_get("/frames/{place}", frames)
    app.router.add_get("/file", download)
    app.router.add_post("/upload", upload)


async def _receive(request: Any, path: Path) -> None:
    """Write what is sent to a file, whole or not at all."""
    size = 0
    with complete_file(path) as temporary, open(temporary, "wb") as file:
        async for piece in request.content.iter_chunked(2**20):
            size += len(piece)
            if size > LARGEST_UPLOAD:
                raise WriteError(f"'{path.name}' is too large")
            file.write(piece)
