"""The order of the package's modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import uiahost


def imported(module: Path) -> Iterator[str]:
    """Whole names of what it imports, for types alone too."""
    for each in ast.walk(ast.parse(module.read_bytes())):
        if isinstance(each, ast.Import):
            yield from (alias.name for alias in each.names)
        elif isinstance(each, ast.ImportFrom):
            start = ["uiahost" if each.level else "", each.module or ""]
            yield from (".".join(filter(None, [*start, alias.name])) for alias in each.names)


def test_no_module_imports_one_that_imports_it() -> None:
    modules = {path.stem: path for path in Path(uiahost.__file__).parent.glob("*.py")}
    imports: dict[str, set[str]] = {name: set() for name in modules}
    for name, path in modules.items():
        for package, *rest in (each.split(".") for each in imported(path)):
            if package == "uiahost":
                imports[name].add(rest[0] if rest and rest[0] in modules else "__init__")
    assert imports["_client"] >= {"types", "_methods"}
    # Raises CycleError, which names the circle.
    TopologicalSorter(imports).prepare()
