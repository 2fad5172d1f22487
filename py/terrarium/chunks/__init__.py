"""Document → chunks: what is embedded, searched and cited."""
