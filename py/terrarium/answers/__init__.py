"""Passages → an answer whose every sentence points at the passage it rests on, or none."""
