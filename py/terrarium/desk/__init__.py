"""Indexing whole folders at the desk, on one core or on a cluster. Nothing here is needed in the tab."""
