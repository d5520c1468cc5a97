"""A player of another program: ``--policy docs/tutorials/theirs.py:theirs``. See docs/reference/policies.md."""

import json
import subprocess

THEIRS = subprocess.Popen(["their-player"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def theirs(turn):
    """Ask their program: a line of JSON to it, the number of its choice back."""
    known = {"hand": turn.holding, "table": turn.table, "choices": list(map(str, turn.choices))}
    print(json.dumps(known), file=THEIRS.stdin, flush=True)
    return int(THEIRS.stdout.readline())
