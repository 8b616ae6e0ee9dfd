"""Files by name in a folder of any file system: on this machine without further packages, elsewhere through ``fsspec``."""

from __future__ import annotations

import hashlib
import os
import posixpath
from typing import Any, Dict, List, Mapping, Optional, Tuple


def is_url(path: str) -> bool:
    """Whether this names a file system, rather than a path on this machine."""
    return "://" in path


def anywhere(path: str) -> str:
    """The same path for processes that work in other folders, without a slash at its end; a URL is the same everywhere."""
    return path.rstrip("/") if is_url(path) else os.path.abspath(path)


class Files:
    """The files of a folder. A file is there as a whole or not at all."""

    def __init__(self, url: str, options: Optional[Dict[str, Any]] = None) -> None:
        self.url = str(url)
        self.options = dict(options or {})
        self._open: Optional[Tuple[Any, str]] = None

    def __getstate__(self) -> Dict[str, Any]:
        return {"url": self.url, "options": self.options}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__init__(state["url"], state["options"])  # type: ignore[misc]

    @property
    def is_local(self) -> bool:
        """Whether the folder is of this machine's own file system."""
        return not is_url(self.url) or self.url.startswith("file://")

    def _local(self, name: str) -> str:
        return os.path.join(self.url.removeprefix("file://"), *name.split("/"))

    def _remote(self, name: str) -> Tuple[Any, str]:
        if self._open is None:
            try:
                import fsspec  # type: ignore[import-untyped,unused-ignore]
            except ImportError:
                raise ImportError(f"{self.url} needs the package fsspec: pip install 'wayfare[cluster]'") from None
            self._open = fsspec.core.url_to_fs(self.url, **self.options)
        system, root = self._open
        return system, posixpath.join(root, name) if name else root

    def read(self, name: str, start: Optional[int] = None, stop: Optional[int] = None) -> bytes:
        """The bytes of a file, or of a part of it. Raises FileNotFoundError."""
        if self.is_local:
            with open(self._local(name), "rb") as file:
                if start is None:
                    return file.read()
                file.seek(start)
                return file.read() if stop is None else file.read(stop - start)
        system, path = self._remote(name)
        data: bytes = system.cat_file(path, start=start, end=stop)
        return data

    def write(self, name: str, data: bytes) -> None:
        """Writes a file."""
        if self.is_local:
            path = self._local(name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            part = f"{path}.{os.getpid()}.part"
            with open(part, "wb") as file:
                file.write(data)
            os.replace(part, path)
            return
        system, path = self._remote(name)
        # Object stores have no folders, and show an object when it is whole.
        system.pipe_file(path, data)

    def write_all(self, data: Mapping[str, bytes]) -> None:
        """Writes several files; in an object store, at the same time."""
        if self.is_local:
            for name, one in data.items():
                self.write(name, one)
        elif data:
            system, root = self._remote("")
            system.pipe({posixpath.join(root, name): one for name, one in data.items()})

    def remove(self, name: str) -> None:
        """Removes a file, if it is there."""
        try:
            if self.is_local:
                os.remove(self._local(name))
            else:
                system, path = self._remote(name)
                system.rm_file(path)
        except FileNotFoundError:
            pass

    def try_read(self, name: str) -> Optional[bytes]:
        """The bytes of a file; None if it is not there."""
        try:
            return self.read(name)
        except FileNotFoundError:
            return None

    def list(self, folder: str) -> List[str]:
        """The names of the files in a folder, in order; none if it is not there."""
        try:
            if self.is_local:
                names = [entry for entry in os.listdir(self._local(folder)) if not entry.endswith(".part")]
            else:
                system, path = self._remote(folder)
                system.invalidate_cache(path)
                names = [posixpath.basename(found) for found in system.ls(path, detail=False)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(name for name in names if name)

    def remove_folder(self, folder: str) -> None:
        """Removes a folder with all that is in it, if it is there."""
        try:
            if self.is_local:
                import shutil

                shutil.rmtree(self._local(folder))
            else:
                system, path = self._remote(folder)
                system.rm(path, recursive=True)
        except FileNotFoundError:
            pass

    def mark(self, name: str) -> str:
        """A text that is another when the file is: it is not read for that."""
        if self.is_local:
            about = os.stat(self._local(name))
            return f"{about.st_size}:{about.st_mtime_ns}"
        system, path = self._remote(name)
        return str(system.ukey(path))


class WriteBehind:
    """Files that are written some at a time, since an object store answers late but many at once. ``flush`` writes what is left."""

    #: Files that wait at most.
    MANY = 64

    def __init__(self, files: Files) -> None:
        self.files = files
        self._waiting: Dict[str, bytes] = {}

    def read(self, name: str, start: Optional[int] = None, stop: Optional[int] = None) -> bytes:
        """The bytes of a file, or of a part of it, whether it is written yet or not."""
        if name in self._waiting:
            return self._waiting[name][start or 0 : stop]
        return self.files.read(name, start, stop)

    def write(self, name: str, data: bytes) -> None:
        """Writes a file, now or later."""
        self._waiting[name] = data
        if len(self._waiting) >= self.MANY:
            self.flush()

    def remove(self, name: str) -> None:
        """Removes a file."""
        self._waiting.pop(name, None)
        self.files.remove(name)

    def flush(self) -> None:
        """Writes all files that wait."""
        self.files.write_all(self._waiting)
        self._waiting = {}


def digest(*parts: object) -> str:
    """A short name for what these are."""
    hashed = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        hashed.update(len(data).to_bytes(8, "little") + data)
    return hashed.hexdigest()[:24]
