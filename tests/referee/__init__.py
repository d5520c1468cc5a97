"""A referee for Cirulla and its family, written from the rules text alone.

It shares no code with ``cirulla_sim``, which is checked against it: slow, literal Python over card texts such as
``"7h"``. Rules are a plain dict, as ``dataclasses.asdict`` returns for a ``Rules``. Sources are cited by their number
in the rules catalogue: 000 Cirulla and Cirullone, 001 Cirullone, 002 the online rules, 003 Scopa and its family, 004
Parlett. Where they are silent or disagree, the catalogue decides.
"""
