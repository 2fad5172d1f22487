"""The page's own program, run by PyScript on MicroPython.

The modules words, marking and file_queue know nothing of the page: plain logic, tested under CPython.
"""
