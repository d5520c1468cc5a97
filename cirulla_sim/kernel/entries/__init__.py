"""The compiled functions that Python calls, one signature each; importing a module compiles or loads it."""
