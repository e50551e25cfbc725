"""Patches of answers: JSON merge patches (RFC 7396), and lists of rows by their keys."""

from __future__ import annotations

import json
from typing import Any


def _id(row: Any, key: list[str]) -> str:
    return json.dumps([row.get(name) for name in key])


def _patched_rows(rows: list[Any], patch: dict[str, Any]) -> list[Any]:
    """The rows of a list after a patch of its rows."""
    key: list[str] = patch["key"]
    known = {_id(row, key): row for row in rows}
    for values in patch.get("removed", []):
        known.pop(json.dumps(values), None)
    for change in patch.get("changed", []):
        known[_id(change, key)] = patched(known.get(_id(change, key)), change)
    arrivals = []
    for place, row in patch.get("placed", []):
        before = known.pop(_id(row, key), None)
        arrivals.append((place, row if before is None else patched(before, row)))
    result = list(known.values())
    # In ascending order, so that each finds those before it in their places.
    for place, row in arrivals:
        result.insert(place, row)
    return result


def patched(before: Any, patch: Any) -> Any:
    """
    The value after a message of the type `patch`, whose member `patch` is given. What has not changed is shared with
    `before`, which stays as it is.
    """
    if not isinstance(patch, dict):
        return patch
    if isinstance(before, list):
        return _patched_rows(before, patch)
    result = dict(before) if isinstance(before, dict) else {}
    for name, change in patch.items():
        if change is None:
            result.pop(name, None)
        else:
            result[name] = patched(result.get(name), change)
    return result
