"""Names that version 1 keeps are still there: of functions, options, the question language, rules and files."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from cirulla_sim.core.version import VERSION

ROOT = Path(__file__).parent.parent
spec = importlib.util.spec_from_file_location("public_names", ROOT / "scripts" / "public_names.py")
assert spec is not None
assert spec.loader is not None
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)


def test_no_public_name_is_gone() -> None:
    listed, present = json.loads(script.FILE.read_text("utf-8")), script.public_names()
    gone = {kind: sorted(set(names) - set(present[kind])) for kind, names in listed.items()}
    assert {kind: names for kind, names in gone.items() if names} == {}, "docs/reference/stable.md says how a name goes"
    if "dev" not in VERSION:
        added = {kind: sorted(set(names) - set(listed[kind])) for kind, names in present.items()}
        del added["quantities"]  # studies that other tests import add their own
        assert not any(added.values()), "run scripts/public_names.py, so that the names of this release are kept"
