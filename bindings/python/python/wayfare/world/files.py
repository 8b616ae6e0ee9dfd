"""Files by name in a folder of any file system: on this machine without further packages, elsewhere through ``fsspec``."""

from __future__ import annotations

import errno
import hashlib
import os
import posixpath
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, TypeVar, Union

T = TypeVar("T")

#: Seconds before each further try of an access to another machine.
PAUSES = (0.2, 1.0, 5.0)
#: Files that are brought to the disk at once: one after the other, each would wait for a turn of the disk of its own.
AT_ONCE = 16
#: What no further try mends.
FINAL = (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError, ImportError, NotImplementedError, TypeError, ValueError)


def is_url(path: str) -> bool:
    """Whether this names a file system, rather than a path on this machine."""
    return "://" in path


def anywhere(path: "Union[str, os.PathLike[str]]") -> str:
    """The same path for processes that work in other folders, without a slash at its end; a URL is the same everywhere."""
    path = os.fspath(path)
    return path.rstrip("/") if is_url(path) else os.path.abspath(path)


def _patiently(access: Callable[[], T]) -> T:
    """An access to another machine, tried several times. Each file system has errors of its own: they become OSErrors."""
    for pause in (*PAUSES, None):
        try:
            return access()
        except FINAL:
            raise
        except Exception as error:
            if pause is None:
                if isinstance(error, OSError):
                    raise
                raise OSError(f"{type(error).__name__}: {error}") from error
            time.sleep(pause)
    raise AssertionError("the last try returns or raises")


class Files:
    """The files of a folder. A file is there as a whole or not at all."""

    def __init__(self, url: str, options: Optional[Dict[str, Any]] = None) -> None:
        self.url = str(url)
        self.options = dict(options or {})
        self._open: Optional[Tuple[Any, str]] = None
        # What may not be on the disk yet: files that were written, and folders in which something was removed.
        self._unsettled: Dict[str, None] = {}

    def __getstate__(self) -> Dict[str, Any]:
        return {"url": self.url, "options": self.options}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__init__(state["url"], state["options"])  # type: ignore[misc]

    @property
    def is_local(self) -> bool:
        """Whether the folder is of this machine's own file system."""
        return not is_url(self.url) or self.url.startswith(("file://", "local://"))

    def _local(self, name: str) -> str:
        if os.path.isabs(name):
            return name
        return os.path.join(self.url.removeprefix("file://").removeprefix("local://"), *name.split("/"))

    def _remote(self, name: str) -> Tuple[Any, str]:
        if self._open is None:
            try:
                import fsspec  # type: ignore[import-untyped,unused-ignore]
            except ImportError:
                raise ImportError(f"{self.url} needs the package fsspec: pip install fsspec") from None
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
        data: bytes = _patiently(lambda: system.cat_file(path, start=start, end=stop))
        return data

    def write(self, name: str, data: bytes, *, lasting: bool = False) -> None:
        """Writes a file; one that is ``lasting`` is still whole after a power cut."""
        if self.is_local:
            path = self._local(name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            part = f"{path}.{os.getpid()}.part"
            with open(part, "wb") as file:
                file.write(data)
                if lasting:
                    file.flush()
                    os.fsync(file.fileno())
            os.replace(part, path)
            self._unsettled[os.path.dirname(path) if lasting else path] = None
            return
        system, path = self._remote(name)
        _patiently(lambda: _put(system, path, data))

    def write_all(self, data: Mapping[str, bytes]) -> None:
        """Writes several files; in an object store, at the same time."""
        if not data:
            return
        system, root = (None, "") if self.is_local else self._remote("")
        if system is not None and _is_object_store(system):
            _patiently(lambda: system.pipe({posixpath.join(root, name): one for name, one in data.items()}))
            return
        for name, one in data.items():
            self.write(name, one)

    def settle(self) -> None:
        """Returns when what was written here and removed is on the disk, so that what is written next can say so."""
        # Not ``os.sync``: it waits for whatever anybody writes to any disk, and for ever if one of them does not answer.
        unsettled = list(self._unsettled)
        if not unsettled:
            return
        folders = dict.fromkeys(folder for path in unsettled for folder in self._folders_of(path))
        with ThreadPoolExecutor(AT_ONCE) as threads:
            for some in ([path for path in unsettled if path not in folders], folders):
                for _ in threads.map(_to_disk, some):
                    pass
        for path in unsettled:
            self._unsettled.pop(path, None)

    def _folders_of(self, path: str) -> Iterable[str]:
        """The folders by which a file is found, from its own to the one that all lie in; of a folder, it is the first itself."""
        root = os.path.normpath(self._local(""))
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        yield folder
        while len(folder) > len(root):
            folder = os.path.dirname(folder)
            yield folder

    def remove(self, name: str) -> None:
        """Removes a file, if it is there."""
        try:
            if self.is_local:
                path = self._local(name)
                self._unsettled.pop(path, None)
                os.remove(path)
                self._unsettled[os.path.dirname(path)] = None
            else:
                system, path = self._remote(name)
                _patiently(lambda: system.rm_file(path))
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
                found = _patiently(lambda: system.ls(path, detail=False))
                # Some list a folder among what it holds.
                names = [posixpath.basename(one.rstrip("/")) for one in found if one.strip("/") != path.strip("/")]
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(name for name in names if name)

    def is_folder(self, name: str) -> bool:
        """Whether this is a folder; one of an object store has something in it."""
        if self.is_local:
            return os.path.isdir(self._local(name))
        system, path = self._remote(name)
        system.invalidate_cache(path)
        return bool(_patiently(lambda: system.isdir(path)))

    def name_of(self, other: "Files") -> Optional[str]:
        """The name of another folder in this one; empty if it is the same, None if it lies elsewhere."""
        here, there, slash = self.url, other.url, "/"
        if self.is_local and other.is_local:
            here, there, slash = os.path.abspath(self._local("")), os.path.abspath(other._local("")), os.sep
        if here == there:
            return ""
        inside = here.rstrip(slash) + slash
        return there[len(inside) :].replace(slash, "/") if there.startswith(inside) else None

    def remove_some(self, folder: str, is_own: Callable[[str], bool]) -> None:
        """Removes the files of a folder whose names are our own, and the folder, if nothing else is in it."""
        if self.is_local:
            # With those that a writer left half written.
            names = os.listdir(self._local(folder)) if self.is_folder(folder) else []
        else:
            names = self.list(folder)
            if names and all(map(is_own, names)):
                # An object store removes many at once.
                self.remove_folder(folder)
                return
        for name in filter(is_own, names):
            self.remove(f"{folder}/{name}")
        self.remove_if_empty(folder)

    def remove_folder(self, folder: str) -> None:
        """Removes a folder with all that is in it, if it is there."""
        try:
            if self.is_local:
                import shutil

                path = self._local(folder)
                shutil.rmtree(path)
                self._unsettled[os.path.dirname(path)] = None
            else:
                system, path = self._remote(folder)
                system.invalidate_cache(path)
                _patiently(lambda: _remove_tree(system, path))
        except FileNotFoundError:
            pass

    def remove_if_empty(self, folder: str) -> None:
        """Removes a folder in which nothing is; an object store has none such."""
        if self.list(folder):
            return
        try:
            if self.is_local:
                path = self._local(folder)
                os.rmdir(path)
                self._unsettled[os.path.dirname(path)] = None
            else:
                system, path = self._remote(folder)
                if not _is_object_store(system):
                    system.rmdir(path)
        except OSError:
            # It is not there, or something came into it.
            pass

    def mark(self, name: str) -> str:
        """A text that is another when the file is: it is not read for that, where the file system says anything about it."""
        if self.is_local:
            about = os.stat(self._local(name))
            return f"{about.st_size}:{about.st_mtime_ns}"
        system, path = self._remote(name)
        system.invalidate_cache(path)
        if is_http(self.url):
            # What fsspec takes for a mark is the address, which stays as it is.
            about = _patiently(lambda: system.info(path))
            stamps = [about.get(key) for key in ("ETag", "Content-MD5", "Digest", "Last-Modified")]
            return digest(*stamps, about.get("size")) if any(stamps) else digest(self.read(name))
        return str(_patiently(lambda: system.ukey(path)))


def _to_disk(path: str) -> None:
    """Returns when a file, or what a folder has, is on the disk."""
    is_folder = os.path.isdir(path)
    if is_folder and os.name == "nt":
        # A folder cannot be opened there.
        return
    try:
        # Windows asks for a file that may be written.
        file = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    except FileNotFoundError:
        # It was removed meanwhile.
        return
    try:
        os.fsync(file)
    except OSError as error:
        # Some file systems have nothing to bring to a disk for a folder.
        if not is_folder or error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EBADF):
            raise
    finally:
        os.close(file)


def is_http(url: str) -> bool:
    """Whether files are those of a web server."""
    return url.startswith(("http://", "https://"))


def _is_object_store(system: Any) -> bool:
    """Whether there are no folders, and an object shows when it is whole."""
    from fsspec.asyn import AsyncFileSystem  # type: ignore[import-untyped,unused-ignore]

    return isinstance(system, AsyncFileSystem)


def _put(system: Any, path: str, data: bytes) -> None:
    from fsspec.spec import AbstractFileSystem  # type: ignore[import-untyped,unused-ignore]

    if _is_object_store(system):
        system.pipe_file(path, data)
        return
    system.makedirs(posixpath.dirname(path), exist_ok=True)
    if type(system).mv is AbstractFileSystem.mv:
        # It cannot rename, only copy.
        system.pipe_file(path, data)
        return
    part = f"{path}.{os.getpid()}.part"
    system.pipe_file(part, data)
    system.mv(part, path)


def _remove_tree(system: Any, path: str) -> None:
    if not any(sign in path for sign in "*?["):
        system.rm(path, recursive=True)
        return
    # ``rm`` would take the name for a pattern, and find nothing.
    found = system.find(path, withdirs=True, detail=True)
    for name, about in sorted(found.items(), reverse=True):
        (system.rmdir if about["type"] == "directory" else system.rm_file)(name)


class WriteBehind:
    """Files that are written some at a time, since an object store answers late but many at once. ``flush`` writes what is left.

    Or none of them, if it ``holds`` them: then ``waiting`` has them all.
    """

    #: Files that wait at most.
    MANY = 64

    def __init__(self, files: Files, holds: bool = False) -> None:
        self.files, self.holds = files, holds
        self.waiting: Dict[str, bytes] = {}

    def read(self, name: str, start: Optional[int] = None, stop: Optional[int] = None) -> bytes:
        """The bytes of a file, or of a part of it, whether it is written yet or not."""
        if name in self.waiting:
            return self.waiting[name][start or 0 : stop]
        return self.files.read(name, start, stop)

    def write(self, name: str, data: bytes) -> None:
        """Writes a file, now or later."""
        self.waiting[name] = data
        if len(self.waiting) >= self.MANY and not self.holds:
            self.flush()

    def remove(self, name: str) -> None:
        """Removes a file."""
        self.waiting.pop(name, None)
        if not self.holds:
            self.files.remove(name)

    def flush(self) -> None:
        """Writes all files that wait."""
        self.files.write_all(self.waiting)
        self.waiting = {}


def digest(*parts: object) -> str:
    """A short name for what these are."""
    hashed = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        hashed.update(len(data).to_bytes(8, "little") + data)
    return hashed.hexdigest()[:24]


def is_digest(name: str) -> bool:
    """Whether this may be a name that ``digest`` has made."""
    return len(name) == 24 and all(letter in "0123456789abcdef" for letter in name)
