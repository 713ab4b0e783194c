"""A file of the reader's, brought to the kernel in pieces."""

from __future__ import annotations

import contextlib
import pathlib
import re
import shutil
import tempfile
from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

__all__ = ["Upload"]

_READY = "Drop a file here, or choose one"
_SPARE = 100_000_000  # bytes that stay free on the disk


class Upload(anywidget.AnyWidget):
    """A place where a file can be dropped; its bytes go to a temporary file, however large it is.

    Parameters
    ----------
    accept : str
        Endings that the browser's file chooser shows, separated by commas.
    done : callable
        ``done(path, name)`` is called when a file is here: where it lies, and what the reader calls it. The file is
        removed when the next one comes, or with the widget.
    failed : callable
        ``failed(words)`` is called when a file cannot be taken.
    """

    _esm = pathlib.Path(__file__).with_name("upload.js")
    _css = pathlib.Path(__file__).with_name("style.css")
    _accept = traitlets.Unicode().tag(sync=True)
    _words = traitlets.Unicode(_READY).tag(sync=True)

    def __init__(
        self, accept: str, done: Callable[[pathlib.Path, str], object], failed: Callable[[str], object]
    ) -> None:
        super().__init__(_accept=accept)
        self._done, self._failed = done, failed
        self._folder = tempfile.TemporaryDirectory(prefix="semwork-upload-")
        self._upload, self._name, self._size = "", "", 0
        self.on_msg(self._told)

    @property
    def path(self) -> pathlib.Path:
        """Where the bytes of the file lie."""
        # The name comes from a browser: only its ending is used, and nothing that leads out of the folder.
        endings = re.findall(r"\.[A-Za-z0-9]{1,10}(?=\.|$)", self._name)
        return pathlib.Path(self._folder.name) / f"file{''.join(endings[-2:])}"

    def _told(self, _: Any, content: dict[str, Any], buffers: list[Any]) -> None:
        kind, upload = content.get("kind"), str(content.get("upload", ""))
        if kind == "begin":
            self._begin(upload, str(content["name"]), int(content["size"]))
        elif upload == self._upload and kind == "piece":
            self._piece(int(content["from"]), buffers[0])
        elif upload == self._upload and kind == "failed":
            self._give_up(f"The browser could not read {self._name}: {content.get('words', '')}")

    def _begin(self, upload: str, name: str, size: int) -> None:
        self._remove()
        self._upload, self._name, self._size = upload, name, size
        free = shutil.disk_usage(self._folder.name).free
        if size > free - _SPARE:
            self._give_up(
                f"{name} has {size / 1e6:,.0f} MB and {free / 1e6:,.0f} MB are free on the disk of the kernel. Give "
                "its path instead, if the file is there already, or make room"
            )
            return
        try:
            self.path.write_bytes(b"")
        except OSError as error:
            self._give_up(f"{name} cannot be kept for reading: {error}")
            return
        self._ask(0)

    def _piece(self, start: int, piece: Any) -> None:
        if start != self.path.stat().st_size:
            return  # a piece that came twice
        try:
            with self.path.open("ab") as file:
                file.write(piece)
        except OSError as error:
            self._give_up(f"{self._name} cannot be kept for reading: {error}")
            return
        self._ask(start + len(piece))

    def _ask(self, start: int) -> None:
        if start < self._size:
            self._words = f"{self._name}: {start / 1e6:,.1f} of {self._size / 1e6:,.1f} MB"
            self.send({"kind": "more", "upload": self._upload, "from": start})
            return
        self.send({"kind": "end", "upload": self._upload})
        self._words = _READY
        self._done(self.path, self._name)

    def _give_up(self, words: str) -> None:
        self.send({"kind": "end", "upload": self._upload})
        self._remove()
        self._upload, self._words = "", _READY
        self._failed(words)

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            self.path.unlink()

    def close(self) -> None:
        """Remove the file, and take the widget away."""
        with contextlib.suppress(OSError):
            self._folder.cleanup()
        super().close()
