"""What a person asks: cleaned of its framing, made whole by what was said before, taken apart."""
