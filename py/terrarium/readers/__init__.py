"""Bytes of a file → `Document`: `reading.read_file`. One module a format; `formats.py` names them."""
