"""The plugin of pytest: `test_golden = golden(...)` in a test file becomes a test for each question, and one for the gate.

pytest imports it in every project, so it imports nothing of the package until a test file has.
"""
from __future__ import annotations

import sys
from typing import Any, Optional


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "xdist_group: the tests of one run, for one worker of pytest-xdist")


def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> Optional[Any]:
    """Collects golden questions that a test file assigns to a name that begins with `test`."""
    goldens = sys.modules.get("touchstone_evals.goldens")
    if goldens is None or not isinstance(obj, goldens.Golden) or not name.startswith("test"):
        return None
    from .pytest_items import GoldenCollector

    return GoldenCollector.from_parent(collector, name=name, golden=obj)


def pytest_collection_finish(session: Any) -> None:
    items = sys.modules.get("touchstone_evals.pytest_items")
    if items is not None:
        items.select_questions(session.items)
