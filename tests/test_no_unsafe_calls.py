"""No module of the project unpickles, evaluates text or starts a shell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("regreact", "signatures", "experiments", "conf", "tests")

MODULES = {"pickle", "_pickle", "cPickle", "cloudpickle", "dill", "shelve", "joblib", "marshal", "jsonpickle"}
# What unpickles or runs what it reads, by the name it is called by, whatever module it is taken from.
NAMES = {"eval", "exec", "compile", "__import__"}
ATTRIBUTES = {"read_pickle", "to_pickle", "save_memory_cache", "load_memory_cache", "unsafe_load", "full_load"}
# Module and function; `load` and `system` alone are names of much else.
CALLS = {
    ("torch", "load"), ("torch", "save"), ("joblib", "load"), ("yaml", "load"), ("yaml", "load_all"), ("os", "system"),
    ("os", "popen"), ("subprocess", "getoutput"), ("subprocess", "getstatusoutput"), ("np", "fromfile"),
    ("tempfile", "mktemp"),
}  # fmt: skip
# Keyword and value that make a call unsafe.
KEYWORDS = {("shell", True), ("allow_pickle", True), ("save_program", True), ("resolve_entities", True),
            ("no_network", False), ("huge_tree", True), ("verify", False), ("autoescape", False)}  # fmt: skip

# File, what, and why it is right there.
ALLOWED = {
    ("tests/test_file_safety.py", "import pickle"): "makes the prepared entry that the cache must not run",
    ("tests/rag/test_index.py", "np.savez without allow_pickle=False"): "makes the prepared array that the index must not run",
}


def found(tree: ast.AST) -> Iterator[str]:
    """Yield what a module does that needs a reason."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (f"import {a.name}" for a in node.names if a.name.partition(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom):
            top = (node.module or "").partition(".")[0]
            if top in MODULES:
                yield f"import {top}"
            yield from (f"{top}.{a.name}()" for a in node.names if (top, a.name) in CALLS)
        elif isinstance(node, ast.Call):
            yield from _call(node)


def _call(node: ast.Call) -> Iterator[str]:
    called = node.func
    if isinstance(called, ast.Name) and called.id in NAMES:
        yield f"{called.id}()"
    if isinstance(called, ast.Attribute):
        owner = called.value.id if isinstance(called.value, ast.Name) else ""
        if called.attr in ATTRIBUTES or (owner, called.attr) in CALLS:
            yield f"{owner}.{called.attr}()"
    numpy = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id in ("np", "numpy")
    given = {k.arg: k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)}
    yield from (f"{k}={v}" for k, v in given.items() if (k, v) in KEYWORDS)
    if numpy and isinstance(called, ast.Attribute) and called.attr in ("load", "save", "savez", "savez_compressed"):
        if given.get("allow_pickle") is not False and "allow_pickle" not in {k.arg for k in node.keywords}:
            yield f"np.{called.attr} without allow_pickle=False"


def modules() -> list[Path]:
    return [p for folder in FOLDERS for p in sorted((ROOT / folder).rglob("*.py"))]


def test_no_module_does_what_runs_what_it_reads() -> None:
    paths = modules()
    assert len(paths) > 300
    doing = {
        (str(p.relative_to(ROOT)), what) for p in paths for what in found(ast.parse(p.read_text(encoding="utf-8")))
    }
    assert doing == ALLOWED.keys()


@pytest.mark.parametrize(
    "source",
    ["import pickle", "from pickle import loads", "import shelve as s", "import joblib", "import cloudpickle.x",
     "eval('1')", "exec(x)", "compile(x, 'a', 'exec')", "__import__(name)", "torch.load(f)", "yaml.load(f)",
     "from yaml import load", "os.system('ls')", "subprocess.run('ls', shell=True)", "np.load(f)",
     "np.load(f, allow_pickle=True)", "np.savez(f, a=1)", "program.save(f, save_program=True)",
     "etree.XMLParser(resolve_entities=True)", "tempfile.mktemp()", "cache.load_memory_cache(f)",
     "httpx.Client(verify=False)"],
)  # fmt: skip
def test_the_search_finds_each(source: str) -> None:
    assert list(found(ast.parse(source)))


@pytest.mark.parametrize(
    "source", ["re.compile('a')", "json.load(f)", "yaml.safe_load(f)", "np.load(f, allow_pickle=False)", "model.eval()"]
)
def test_and_nothing_else(source: str) -> None:
    assert not list(found(ast.parse(source)))

