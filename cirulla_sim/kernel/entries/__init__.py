"""The compiled functions that Python calls, one signature each; they are compiled or loaded when first used."""
