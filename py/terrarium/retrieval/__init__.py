"""Question → ranked passages, and what of them is read: the funnel, each of its stages, the context."""
