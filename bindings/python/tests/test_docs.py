"""What documents show is run: the manual's chapters, the README, the docstrings, the notebooks; and types are checked."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
PAGES = [HERE / "../../docs/bindings-python.md", HERE / "../../docs/cluster.md", HERE / "README.md"]
BLOCKS = [
    (f"{page.stem}-{number}", block)
    for page in PAGES
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.S))
]


@pytest.mark.parametrize("block", [block for _, block in BLOCKS], ids=[name for name, _ in BLOCKS])
def test_page(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "page", "exec"), {"__name__": "page"})


def test_the_first_program_is_short() -> None:
    lines = [line for line in BLOCKS[0][1].splitlines() if line.strip()]
    assert len(lines) <= 10


@pytest.mark.parametrize("name", ["wayfare", "wayfare.habitat"])
def test_docstrings(name: str) -> None:
    failed, count = doctest.testmod(importlib.import_module(name))
    assert failed == 0 and count > 0


@pytest.mark.parametrize("file", sorted((HERE / "notebooks").glob("*.ipynb")), ids=lambda file: file.stem)
def test_notebook(file: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(file, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "notebooks are kept without outputs"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    assert any(cell.get("outputs") for cell in notebook.cells)


def test_every_public_thing_says_what_it_is() -> None:
    import wayfare

    silent = []
    for name in wayfare.__all__:
        thing = getattr(wayfare, name)
        if not (thing.__doc__ or "").strip():
            silent.append(name)
        for part, value in vars(thing).items() if isinstance(thing, type) else []:
            plain = part.startswith("_") or part in ("to_bytes", "from_bytes", "copy", "UNITY", "UNREAL", "Z_UP")
            if not plain and thing.__module__ == "wayfare" and not (getattr(value, "__doc__", "") or "").strip():
                silent.append(f"{name}.{part}")
    assert not silent, silent


def test_the_stubs_are_those_of_the_sources() -> None:
    ran = subprocess.run([sys.executable, HERE / "tools/stubs.py", "--check"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_types() -> None:
    pytest.importorskip("mypy")
    import wayfare

    root = Path(wayfare.__file__).parents[1]
    environment = {**os.environ, "MYPYPATH": str(root)} if "site-packages" not in str(root) else dict(os.environ)
    strict = [sys.executable, "-m", "mypy", "--strict", "-p", "wayfare"]
    ran = subprocess.run(strict, capture_output=True, text=True, env=environment, cwd=root if "MYPYPATH" in environment else HERE)
    assert ran.returncode == 0, ran.stdout
    allowed = HERE / "tests/stubtest_allowlist.txt"
    stubtest = [sys.executable, "-m", "mypy.stubtest", "wayfare._wayfare", "--allowlist", str(allowed)]
    ran = subprocess.run(stubtest, capture_output=True, text=True, env=environment)
    assert ran.returncode == 0, ran.stdout
