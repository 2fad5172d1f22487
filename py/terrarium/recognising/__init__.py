"""Scans: pages that are pictures, drawn, read by text recognition, and indexed like any other."""
