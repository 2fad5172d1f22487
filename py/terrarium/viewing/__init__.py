"""Looking at a document: its text and its drawn pages, where a quote stands on them, searching in it."""
