"""Runs the README's lines against a service: `python3 tests/readme.py URL KEY`. It fails where one does, or prints nothing."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any


class Seen(Exception):
    """A stream has given something."""


def main(url: str, key: str) -> None:
    text = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for block in blocks:
        said: list[str] = []

        def say(*values: Any) -> None:
            said.append(" ".join(map(str, values)))
            if "async for" in block:
                raise Seen

        scope["print"] = say
        code = block.replace("http://127.0.0.1:8080", url).replace("tm_live_…", key)
        try:
            exec(compile(code, "README.md", "exec"), scope)
        except Seen:
            pass
        if not said or "Empty DataFrame" in said[0]:
            raise SystemExit(f"nothing came of:\n{block}")
        print(f"{block}# {said[0]}\n")
    print(f"{len(blocks)} blocks")


scope: dict[str, Any] = {}

if __name__ == "__main__":
    main(*sys.argv[1:3])
